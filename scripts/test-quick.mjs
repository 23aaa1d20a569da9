// Checks what you are working on in about a minute: lint, types, and the tests of the changed packages
// without the slow ones (test/slow-tests.json: more than four seconds each). Changed is what differs
// from HEAD, or from the commit that is named: npm run test:quick -- main

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const root = dirname(import.meta.dirname);
const [base = "HEAD"] = process.argv.slice(2);
const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
const env = { ...process.env, PATH: path, HAFT_QUICK_TESTS: "1" };

const changed = [
  ...list(["diff", "--name-only", base]),
  ...list(["ls-files", "-o", "--exclude-standard"]),
];
if (changed.length === 0) {
  console.log(
    `Nothing differs from ${base}. Name a commit to compare with: npm run test:quick -- HEAD~1`,
  );
} else {
  const present = changed.filter((file) => existsSync(join(root, file)));
  const folders = new Set(changed.map(toTestFolder).filter((folder) => folder !== undefined));
  const steps = [
    ["biome", "check", "--no-errors-on-unmatched", "--files-ignore-unknown=true", ...present],
    ["tsc", "-b"],
    ["tsc", "-p", "tsconfig.test.json"],
    ["tsc", "-p", "packages/console"],
    ...(folders.size === 0 ? [] : [["vitest", "run", "--configLoader=native", ...folders]]),
  ];
  const failed = steps.find((step) => !run(step));
  console.log(
    failed === undefined
      ? "\nThis holds. npm test checks everything."
      : `\nFailed: ${failed.join(" ")}`,
  );
  process.exitCode = failed === undefined ? 0 : 1;
}

/**
 * Lists files that git names.
 * @param {string[]} args
 */
function list(args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr.trim()}`);
  return stdout.split("\n").filter((line) => line !== "");
}

/**
 * The folder with the tests of a file: its package, its example, or the tests of the whole.
 * @param {string} file
 */
function toTestFolder(file) {
  const [first, second] = file.split("/");
  if (first === "packages" || first === "examples") return `${first}/${second}/`;
  return first === "test" || first === "scripts" ? "test/" : undefined;
}

/** @param {string[]} step */
function run([program = "", ...args]) {
  return spawnSync(program, args, { cwd: root, env, stdio: "inherit" }).status === 0;
}
