import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// What the last setup has seen, so that the next one knows whether there is anything to do. It
// lives in node_modules and goes with it.

/**
 * @param {string} root
 * @param {"install" | "build"} key
 * @returns {string | undefined}
 */
export function readStamp(root, key) {
  return readAll(root)[key];
}

/**
 * @param {string} root
 * @param {"install" | "build"} key
 * @param {string} value
 */
export function writeStamp(root, key, value) {
  writeFileSync(stampFile(root), `${JSON.stringify({ ...readAll(root), [key]: value })}\n`);
}

/**
 * @param {string} root
 * @returns {Record<string, string>}
 */
function readAll(root) {
  try {
    return JSON.parse(readFileSync(stampFile(root), "utf8"));
  } catch {
    return {};
  }
}

/** @param {string} root */
function stampFile(root) {
  return join(root, "node_modules/.haft-setup.json");
}
