// Stores servers beside others who do so: a directory, a name and how many are its arguments.
import { openMcpStore } from "../store/mcp-store.ts";

const [directory = "", name = "", count = "0"] = process.argv.slice(2);
const store = openMcpStore(directory);
for (let at = 0; at < Number(count); at++) {
  const settings = { type: "http", url: "https://example.com", headers: {}, hosts: [] } as const;
  store.put({ name: `${name}${at}`, settings, tools: [] });
}
