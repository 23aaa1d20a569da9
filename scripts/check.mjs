// Runs every check of the project and prints one line for each, with the whole output of those that
// failed. Failed tests are repeated at the end. The last line counts the tests, in the form that CI reads.

import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { createOrdinaryUser } from "./lib/as-ordinary-user.mjs";
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
  { name: "types of the console", command: ["tsc", "-p", "packages/console"] },
  { name: "unused code", command: ["knip", "--no-progress", "--no-config-hints"] },
  { name: "packages", command: [process.execPath, "scripts/check-packages.mjs"] },
  {
    name: "API reference",
    command: [process.execPath, "scripts/api-reference/write-api-reference.mjs", "--check"],
  },
];

// What works differently for root: permissions of files, and the sandbox with what runs in it.
const wallTests = [
  ...[
    "broker/broker",
    "disk/",
    "layers/",
    "paths/",
    "sandbox/",
    "shell/disk-shell",
    "shell/repository",
    "shell/start-program",
  ].map((name) => `computer/src/${name}`),
  "platform/src/runner/tenant-view",
  "platform/src/publish/hostile-outputs",
  "cli/src/commands/rules-in-programs",
  "connect/src/toolbox/",
  "haft/src/undo-commands",
].map((path) => `packages/${path}`);

// Where there are two runs, these need only one. Writers that are killed need a disk, which the ordinary user has;
// how configuration of Git is read is the same for all users.
const otherRun = {
  root: ["packages/computer/src/disk/disk-crashes.test.ts"],
  user: ["git-config", "parse-git-config"].map(
    (name) => `packages/computer/src/sandbox/guard/${name}.test.ts`,
  ),
};

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
const checksOfSources = await inParallel(sources, 2, runCheck);
// The tests wait for processes much of their time. The other checks, and the tests that run a second time
// as an ordinary user where the first run is root's, use the processors meanwhile.
const [tests, again, checksOfBuild] = await Promise.all([
  isRoot ? runTestsInMemory() : runTests("tests", { env: options.env }),
  isRoot ? runTestsAsOrdinaryUser().then((run) => [run]) : [],
  inParallel(built, 1, runCheck),
]);

const runs = [tests, ...again];
const failed = [...checksOfSources, ...checksOfBuild, ...runs]
  .filter(({ ok }) => !ok)
  .map(({ name }) => name);
for (const { name, counts } of runs) printFailures(name, counts);
console.log(failed.length === 0 ? "\nEverything holds." : `\nFailed: ${failed.join(", ")}.`);
console.log(summarize(runs));
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param {Check} check */
async function runCheck({ name, command: [program, ...args] }) {
  const start = Date.now();
  const { ok, output } = await runCommand(program, args, options);
  announce({ name, ok, start });
  if (!ok) console.log(`\n${output.trim()}\n`);
  return { name, ok };
}

/**
 * @typedef {object} TestRun
 * @property {string[]} [prefix] What goes before the test runner, to run it as somebody else.
 * @property {string[]} [selection] Arguments that select and limit what runs. Default: all tests.
 * @property {NodeJS.ProcessEnv} env
 * @property {string} [folder] Where the report is written.
 * @property {typeof watchCommand} [run] Runs the test runner. Default: its output goes to the console.
 */

/**
 * @param {string} name
 * @param {TestRun} run
 */
async function runTests(
  name,
  { prefix = [], selection = [], env, folder: parent = tmpdir(), run = watchCommand },
) {
  const start = Date.now();
  const folder = await mkdtemp(join(parent, "haft-check-"));
  if (parent !== tmpdir()) await chmod(folder, 0o777);
  const report = join(folder, "tests.json");
  const [program, ...args] = [
    ...[...prefix, "vitest", "run", ...selection],
    // The configuration is loaded without writing a copy of it into the project.
    ...["--configLoader=native", "--reporter=default", "--reporter=json"],
    `--outputFile.json=${report}`,
  ];
  // The tests start thousands of short processes, and compiling takes most of their time.
  const compiled = join(env.TMPDIR ?? tmpdir(), "haft-compiled");
  const ran = await run(program, args, { ...env, NODE_COMPILE_CACHE: compiled });
  const counts = await readFile(report, "utf8").then(JSON.parse, () => undefined);
  await rm(folder, { recursive: true, force: true });
  const ok = ran && counts !== undefined;
  announce({ name, ok, start });
  return { name, ok, counts };
}

/**
 * Runs the tests with their temporary files in memory, which takes a third less time. What concerns the
 * disk runs on a disk as an ordinary user.
 */
async function runTestsInMemory() {
  const folder = await mkdtemp(join(tmpdir(), "haft-memory-"));
  // Brokers run as another user and keep what they compiled as well.
  const enter =
    'mount -t tmpfs -o mode=1777 tmpfs "$1"; mkdir -m 1777 "$1/haft-compiled"; shift; exec "$@"';
  try {
    return await runTests("tests", {
      prefix: ["unshare", "--mount", "sh", "-ec", enter, "sh", folder],
      env: {
        ...options.env,
        TMPDIR: folder,
        HAFT_TESTS_OF_OTHER_RUN: otherRun.root.join(" "),
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTestsAsOrdinaryUser() {
  const user = await createOrdinaryUser(root);
  try {
    return await runTests("tests as an ordinary user", {
      ...user,
      env: { ...user.env, HAFT_TESTS_OF_OTHER_RUN: otherRun.user.join(" ") },
      selection: [...wallTests, "--maxWorkers=1"],
      run: printAtEnd,
    });
  } finally {
    await user.remove();
  }
}

/**
 * Runs a program whose output goes straight to the console.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<boolean>}
 */
function watchCommand(program, args, env) {
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

/**
 * Runs a program beside another that has the console, and prints its output when it has ended.
 * @type {typeof watchCommand}
 */
async function printAtEnd(program, args, env) {
  const { ok, output } = await runCommand(program, args, { cwd: root, env });
  console.log(`\n${output.trim()}\n`);
  return ok;
}

/**
 * Prints the failed tests once more: CI shows the end of a long output.
 * @param {string} name
 * @param {{ testResults: { name: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] } | undefined} report
 */
function printFailures(name, report) {
  for (const file of report?.testResults ?? []) {
    const failures = file.assertionResults.filter(({ status }) => status === "failed");
    const path = relative(root, file.name);
    if (file.message !== "") console.log(`\n${name}: ${path}\n${file.message}`);
    for (const { fullName, failureMessages } of failures) {
      console.log(`\n${name}: ${path} > ${fullName}\n${failureMessages.join("\n")}`);
    }
  }
}

/** @param {{ ok: boolean, counts?: Record<string, number> }[]} runs */
function summarize(runs) {
  /** @param {string} name */
  const sum = (name) => runs.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0);
  const skipped = sum("numPendingTests") + sum("numTodoTests");
  // A file that can't be loaded, or an error outside of any test, has no failed test to count.
  const failures = Math.max(sum("numFailedTests"), runs.every(({ ok }) => ok) ? 0 : 1);
  const line = `${sum("numPassedTests")} passed, ${failures} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** @param {{ name: string, ok: boolean, start: number }} result */
function announce({ name, ok, start }) {
  console.log(`${ok ? "✓" : "✗"} ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
}
