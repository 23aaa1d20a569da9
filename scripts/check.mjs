// Runs every check of the project and says in one line each how it went, with the whole output of
// those that failed. The last line counts the tests, in the form that CI reads.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { inParallel } from "./lib/in-parallel.mjs";
import { runCommand } from "./lib/run-command.mjs";

/** @typedef {{ name: string, command: [string, ...string[]] }} Check */

const root = dirname(import.meta.dirname);
const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
const options = { cwd: root, env: { ...process.env, PATH: path } };

/** @type {Check[]} */
const sources = [
  {
    name: "lint",
    command: ["biome", "ci", "--error-on-warnings", "--max-diagnostics=none", "--colors=off"],
  },
  { name: "build", command: [process.execPath, "scripts/build.mjs"] },
];

/** @type {Check[]} */
const built = [
  { name: "types of tests", command: ["tsc", "-p", "tsconfig.test.json"] },
  { name: "unused code", command: ["knip", "--no-progress", "--no-config-hints"] },
  { name: "packages", command: [process.execPath, "scripts/check-packages.mjs"] },
];

const checks = [
  ...(await inParallel(sources, 2, runCheck)),
  ...(await inParallel(built, 2, runCheck)),
];
// The tests start real processes and watch the clock: they have the machine to themselves.
const tests = await runTests();

const failed = [...checks, tests].filter(({ ok }) => !ok).map(({ name }) => name);
console.log(failed.length === 0 ? "\nEverything holds." : `\nFailed: ${failed.join(", ")}.`);
console.log(tests.summary);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param {Check} check */
async function runCheck({ name, command: [program, ...args] }) {
  const start = Date.now();
  const { ok, output } = await runCommand(program, args, options);
  announce({ name, ok, start });
  if (!ok) console.log(`\n${output.trim()}\n`);
  return { name, ok };
}

async function runTests() {
  const start = Date.now();
  const folder = await mkdtemp(join(tmpdir(), "haft-check-"));
  const report = join(folder, "tests.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ran = await watchCommand("vitest", ["run", ...reporters]);
  const counts = await readFile(report, "utf8").then(JSON.parse, () => undefined);
  await rm(folder, { recursive: true, force: true });
  const ok = ran && counts !== undefined;
  announce({ name: "tests", ok, start });
  return { name: "tests", ok, summary: summarize(ok, counts) };
}

/**
 * Runs a program whose output goes straight to the console.
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<boolean>}
 */
function watchCommand(program, args) {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

/**
 * @param {boolean} ok
 * @param {Record<string, number>} [counts]
 */
function summarize(ok, counts = {}) {
  const skipped = (counts.numPendingTests ?? 0) + (counts.numTodoTests ?? 0);
  // A file that can't be loaded, or an error outside of any test, has no failed test to count.
  const failures = Math.max(counts.numFailedTests ?? 0, ok ? 0 : 1);
  const line = `${counts.numPassedTests ?? 0} passed, ${failures} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** @param {{ name: string, ok: boolean, start: number }} result */
function announce({ name, ok, start }) {
  console.log(`${ok ? "✓" : "✗"} ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
}
