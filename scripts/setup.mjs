// Makes a clone ready: npm packages, the project's own Node, the build; with --for-tests also what
// Debian has to provide. `npm start` and `npm test` call it, so it is quick when nothing changed.
// Plain JavaScript without dependencies: it runs before anything is installed, on Node 18 or newer.

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./setup/build.mjs";
import { installPackages } from "./setup/install-packages.mjs";
import { projectNode } from "./setup/project-node.mjs";
import { SetupError } from "./setup/setup-error.mjs";
import { withLock } from "./setup/setup-lock.mjs";
import { systemPackages } from "./setup/system-packages.mjs";

/**
 * One thing that a clone needs.
 * @typedef {object} Step
 * @property {(project: Project) => boolean} isDone Cheap: it is asked on every start.
 * @property {(project: Project) => Promise<void>} run
 */

/**
 * @typedef {object} Project
 * @property {string} root
 * @property {NodeJS.ProcessEnv} env
 * @property {(line: string) => void} log
 */

/** @type {Project} */
const project = {
  root: dirname(dirname(fileURLToPath(import.meta.url))),
  env: process.env,
  log: (line) => console.log(line),
};

// What Debian provides is downloaded while npm installs. The check that follows `--for-tests` begins
// with the build and reports on it.
/** @type {Step[][]} */
const lines = process.argv.includes("--for-tests")
  ? [[installPackages, projectNode], [systemPackages]]
  : [[installPackages, projectNode, build]];

try {
  await setUp();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\nSetup failed: ${error.message}`);
  process.exitCode = 1;
}

async function setUp() {
  if (lines.flat().every((step) => step.isDone(project))) return;
  await withLock(project, async () => {
    const ends = await Promise.allSettled(lines.map(runInOrder));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  });
}

/** @param {Step[]} steps */
async function runInOrder(steps) {
  for (const step of steps) {
    if (!step.isDone(project)) await step.run(project);
  }
}
