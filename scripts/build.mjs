// Builds everything: the packages with the compiler, then the haft program into one place. A
// command that runs for milliseconds must not spend its start-up on loading a hundred small modules.

import { cpSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "rolldown";
import { buildConsole } from "./build-console.mjs";
import { runCommand } from "./lib/run-command.mjs";

const root = dirname(import.meta.dirname);
const program = join(root, "packages/cli/dist/program");

const processes = [
  "computer/dist/search/index-process/index-host.js",
  "computer/dist/broker/broker-host.js",
  "computer/dist/layered-computer/layer-host.js",
  "computer/dist/shell/jobs/keeper-host.js",
  // What leads out of a sandbox runs inside of it.
  "computer/dist/net/egress-bridge.js",
  // What runs a program of run_code.
  "agent/dist/programs/program-guest.js",
  "cli/dist/pages/page-worker.js",
];

/** @satisfies {import("rolldown").BuildOptions} */
const bundled = {
  platform: "node",
  // Loaded by the one command that serves, and too large to copy.
  external: ["@haft/platform", "@haft/platform/internal"],
  // The CommonJS form of some packages can't be bundled; their ES modules can.
  resolve: { mainFields: ["module", "main"] },
  logLevel: "warn",
};

const compiler = join(root, "node_modules/typescript/bin/tsc");
const compiled = await runCommand(process.execPath, [compiler, "-b"], { cwd: root });
if (compiled.ok) {
  const page = buildConsole();
  rmSync(program, { recursive: true, force: true });
  const needed = await findNeeded();
  await build({
    ...bundled,
    input: join(root, "packages/cli/dist/main.js"),
    output: {
      dir: program,
      format: "esm",
      chunkFileNames: "[name].js",
      // Every file takes its time to load: what a call needs in any case is one.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: "base", test: (id) => needed.has(id) }],
      },
    },
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
  await page;
} else {
  console.error(compiled.output.trim());
  process.exitCode = 1;
}

/**
 * The modules that are loaded whatever tool is called.
 * @returns {Promise<Set<string>>}
 */
async function findNeeded() {
  const { output } = await build({
    ...bundled,
    input: ["main.js", "declarations/call.js", "commands/call.js"].map((file) =>
      join(root, "packages/cli/dist", file),
    ),
    output: { format: "esm" },
    logLevel: "silent",
    write: false,
  });
  const chunks = new Map(
    output.flatMap((part) => (part.type === "chunk" ? [[part.fileName, part]] : [])),
  );
  /** @type {Set<string>} */
  const needed = new Set();
  const left = [...chunks.values()].filter(({ isEntry }) => isEntry);
  for (let chunk = left.pop(); chunk !== undefined; chunk = left.pop()) {
    if (!chunks.delete(chunk.fileName)) continue;
    for (const id of chunk.moduleIds) needed.add(id);
    left.push(...chunk.imports.flatMap((file) => chunks.get(file) ?? []));
  }
  return needed;
}
