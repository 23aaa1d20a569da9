import { defineTool } from "@haft/contract";
import { createRegistry, createSession } from "@haft/core";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { bytesOf } from "./open-scope.ts";

// Adds one to the number in a file, again and again, by calls through a session of its own. Prints
// how the calls ended.
const [, , workspace = "", stateDirectory = "", name = "", rounds = "0"] = process.argv;
const path = "count.txt";
const increment = defineTool({
  id: "increment",
  description: "Adds one to the number in a file.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  requires: { fs: { read: ["**"], write: ["**"] } },
  kind: "edit",
  source: "module",
  execution: { resourceKeys: () => [{ key: path, mode: "write" }] },
  execute: async (_args, { fs }) => {
    const { content, version } = await fs.load(path);
    await new Promise((resolve) => setImmediate(resolve));
    const next = Number(new TextDecoder().decode(content)) + 1;
    await fs.write(path, bytesOf(String(next)), { expect: version });
    return next;
  },
});
const session = createSession({
  registry: createRegistry([increment]),
  computer: createDiskComputer({ workspace, stateDirectory, flush: false }),
  name,
  rules: [{ permission: "*", pattern: "*", action: "allow" }],
});
const ends = new Map<string, number>();
for (let round = 0; round < Number(rounds); round++) {
  const { type } = await session.call({ name: "increment", arguments: {} });
  ends.set(type, (ends.get(type) ?? 0) + 1);
}
console.log(JSON.stringify(Object.fromEntries(ends)));
