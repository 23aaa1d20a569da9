// Builds everything: the packages with the compiler, then the haft program into one place. A
// command that runs for milliseconds must not spend its start-up on loading a hundred small modules.

import { cpSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "rolldown";
import { runCommand } from "./lib/run-command.mjs";

const root = dirname(import.meta.dirname);
const program = join(root, "packages/cli/dist/program");

const processes = [
  "computer/dist/search/index-process/index-host.js",
  "computer/dist/broker/broker-host.js",
  "computer/dist/shell/jobs/keeper-host.js",
  // What leads out of a sandbox runs inside of it.
  "computer/dist/net/egress-bridge.js",
  "cli/dist/pages/page-worker.js",
];

const compiler = join(root, "node_modules/typescript/bin/tsc");
const compiled = await runCommand(process.execPath, [compiler, "-b"], { cwd: root });
if (compiled.ok) {
  rmSync(program, { recursive: true, force: true });
  await build({
    input: join(root, "packages/cli/dist/main.js"),
    platform: "node",
    // Loaded by the one command that serves, and too large to copy.
    external: ["@haft/platform"],
    output: { dir: program, format: "esm", chunkFileNames: "[name].js" },
    logLevel: "warn",
  });
  // Agents that come with the program are files that it looks for beside itself.
  cpSync(join(root, "packages/agent/agents"), join(program, "agents"), { recursive: true });
  // Each of these is a process or a thread of its own, whose script the program looks for beside itself. Built
  // apart, they do not cut the program into more pieces.
  for (const script of processes) {
    const name = basename(script, ".js");
    await build({
      input: join(root, "packages", script),
      platform: "node",
      output: { dir: program, format: "esm", chunkFileNames: `${name}-[name].js` },
      logLevel: "warn",
    });
  }
} else {
  console.error(compiled.output.trim());
  process.exitCode = 1;
}
