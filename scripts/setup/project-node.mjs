import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readJson } from "../lib/manifests.mjs";
import { runNpm } from "./npm-program.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * The Node that the npm scripts run on. The `node` package fetches it in an install script, which
 * npm leaves out where scripts are switched off.
 * @type {import("../setup.mjs").Step}
 */
export const projectNode = {
  isDone: ({ root }) => isNewEnough(nodeVersion(root), wantedMajor(root)),

  async run(project) {
    const { root, log } = project;
    log("Fetching the project's Node…");
    const { output } = await runNpm(project, ["rebuild", "node", "--ignore-scripts=false"]);
    const version = nodeVersion(root);
    const wanted = wantedMajor(root);
    if (isNewEnough(version, wanted)) return;
    const found = version === undefined ? "doesn't run" : `is ${version}`;
    throw new SetupError(
      `Haft needs Node ${wanted}, and node_modules/.bin/node ${found}.\n${output.trim()}\n\n` +
        "Delete node_modules and run `npm run setup` again. If that doesn't help, npm has no " +
        `ready-made Node for this machine (${process.platform} ${process.arch}).`,
    );
  },
};

/**
 * @param {string} root
 * @returns {string | undefined}
 */
function nodeVersion(root) {
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/node"), ["--version"]);
  return status === 0 ? stdout.toString().trim() : undefined;
}

/** @param {string} root */
function wantedMajor(root) {
  return Number(/\d+/.exec(readJson(join(root, "package.json")).engines.node)?.[0]);
}

/**
 * @param {string | undefined} version
 * @param {number} major
 */
function isNewEnough(version, major) {
  return version !== undefined && Number(/^v(\d+)/.exec(version)?.[1]) >= major;
}
