import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createDiskComputer } from "../disk/disk-computer.ts";

// Starts a program that goes on, and stays for it if told to.
const [base = "", sleep = "", how] = process.argv.slice(2);
const workspace = join(base, "workspace");
mkdirSync(workspace);
const computer = createDiskComputer({ workspace, stateDirectory: join(base, "state") });
const program = await computer.startProgram({
  argv: ["bash", "-c", `setsid sleep ${sleep} & echo up; sleep ${sleep}`],
  hosts: ["example.com"],
  onOutput: () => undefined,
  onErrors: () => undefined,
});
program.keepAlive(how === "forever");
