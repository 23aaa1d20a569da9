// Runs a command that prints much, and prints by how many bytes the memory of this process grew.
import { openShell } from "./open-shell.ts";

const [, , workspace = "", stateDirectory = "", command = ""] = process.argv;
const { shell, close } = openShell(workspace, stateDirectory, "required");
await shell.execute({ command: "true" });
globalThis.gc?.();
const idle = process.memoryUsage.rss();
let most = idle;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 5);
const { output } = await shell.execute({ command });
clearInterval(watch);
await close();
process.stdout.write(JSON.stringify({ grown: most - idle, bytes: output.totalBytes }));
