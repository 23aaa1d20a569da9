import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {Record<string, any>} Manifest */

/**
 * The package.json files of the project: the root's under "", the workspaces' under their folders.
 * @param {string} root
 * @returns {Record<string, Manifest>}
 */
export function readManifests(root) {
  const manifest = readJson(join(root, "package.json"));
  /** @type {string[]} */
  const patterns = manifest.workspaces;
  const workspaces = patterns
    .flatMap((pattern) => expand(root, pattern))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => [folder, readJson(join(root, folder, "package.json"))]);
  return { "": manifest, ...Object.fromEntries(workspaces) };
}

/**
 * @param {string} file
 * @returns {any}
 */
export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * @param {string} root
 * @param {string} pattern
 */
function expand(root, pattern) {
  if (!pattern.endsWith("/*")) return [pattern];
  const parent = pattern.slice(0, -"/*".length);
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent))
    .sort()
    .map((name) => `${parent}/${name}`);
}
