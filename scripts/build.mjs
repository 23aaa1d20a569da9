// Builds everything: the packages with the compiler, then the haft program into one place. A
// command that runs for milliseconds must not spend its start-up on loading a hundred small modules.

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "rolldown";
import { runCommand } from "./lib/run-command.mjs";

const root = dirname(import.meta.dirname);
const program = join(root, "packages/cli/dist/program");

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
  // The search index is a process of its own, which the program looks for beside itself. Built
  // apart, it does not cut the program into more pieces.
  await build({
    input: join(root, "packages/computer/dist/search/index-process/index-host.js"),
    platform: "node",
    output: { dir: program, format: "esm", chunkFileNames: "index-host-[name].js" },
    logLevel: "warn",
  });
} else {
  console.error(compiled.output.trim());
  process.exitCode = 1;
}
