import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, sep } from "node:path";
import { findProgram } from "../lib/find-program.mjs";
import { runCommand } from "../lib/run-command.mjs";
import { SetupError } from "./setup-error.mjs";

const quiet = ["--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];

/**
 * Runs npm in the project, on the machine's own Node: the one in node_modules may be replaced.
 * @param {import("../setup.mjs").Project} project
 * @param {string[]} args
 */
export async function runNpm({ root, env }, args) {
  const path = outsidePath(root, env.PATH);
  const node = findNode(root, env, path);
  const cli = findNpmCli(env, node) ?? findProgram("npm", path);
  if (cli === undefined) {
    throw new SetupError("npm was not found. Install Node.js 20 or newer, which brings npm along.");
  }
  // The `node` package calls `npm` by name when it is installed, on whatever Node comes first.
  const programs = mkdtempSync(join(tmpdir(), "haft-npm-"));
  try {
    symlinkSync(node, join(programs, "node"));
    writeFileSync(join(programs, "npm"), `#!/bin/sh\nexec "${node}" "${cli}" "$@"\n`, {
      mode: 0o755,
    });
    return await runCommand(join(programs, "npm"), [...args, ...quiet], {
      cwd: root,
      env: { ...env, PATH: [programs, path].join(delimiter) },
    });
  } finally {
    rmSync(programs, { recursive: true, force: true });
  }
}

/**
 * The PATH without the project's own programs, which npm puts in front.
 * @param {string} root
 * @param {string | undefined} path
 */
function outsidePath(root, path = "") {
  return path
    .split(delimiter)
    .filter((folder) => !isInside(root, folder))
    .join(delimiter);
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {string} path
 */
function findNode(root, env, path) {
  const candidates = [env.npm_node_execpath, findProgram("node", path)];
  return (
    candidates.find((file) => file && !isInside(root, file) && existsSync(file)) ?? process.execPath
  );
}

/**
 * The npm that started us, else the one that lies beside Node.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} node
 */
function findNpmCli(env, node) {
  const started = env.npm_execpath ?? "";
  const candidates = [
    // Another package manager's path is of no use here; npx lies beside npm.
    /^np[mx]-cli\.js$/.test(basename(started)) ? join(dirname(started), "npm-cli.js") : "",
    join(dirname(node), "../lib/node_modules/npm/bin/npm-cli.js"),
  ];
  return candidates.find((file) => file !== "" && existsSync(file));
}

/**
 * @param {string} root
 * @param {string} file
 */
function isInside(root, file) {
  return file.startsWith(join(root, "node_modules") + sep);
}
