import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createSecrets } from "@haft/core/internal";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { makeRunScope } from "./run-scope.ts";

// Runs a command that prints much and tells by how much the memory of this process grew.
const [workspace = "", stateDirectory = "", ...commands] = process.argv.slice(2);
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const computer = createDiskComputer({ workspace, stateDirectory, sandbox: "off" });
const secrets = createSecrets({ TOKEN: "a-value-that-nobody-may-see" });
const shell = computer.openShell(makeRunScope(computer, { session: "much", secrets }));
await shell.execute({ command: "true" });
collect();
const idle = process.memoryUsage.rss();
let most = idle;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 5);
const sizes: number[] = [];
for (const command of commands) {
  sizes.push((await shell.execute({ command })).output.totalBytes);
}
clearInterval(watch);
await computer.openSession("much").close();
process.stdout.write(JSON.stringify({ grown: most - idle, sizes }));
