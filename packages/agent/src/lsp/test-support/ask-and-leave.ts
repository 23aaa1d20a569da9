import { createDiskComputer } from "@haft/computer";
import { createLanguageServers } from "../language-servers.ts";

// Asks a server and comes to an end if nothing keeps it.
const [workspace = "", stateDirectory = "", sandbox] = process.argv.slice(2);
const computer = createDiskComputer({
  workspace,
  stateDirectory,
  sandbox: sandbox === "off" ? "off" : "auto",
});
const servers = createLanguageServers({ computer });
const name = await servers.use(
  { path: `${computer.roots[0]}/a.yaml`, work: async (client) => client.name },
  new AbortController().signal,
);
process.stdout.write(name);
