import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { runCommand } from "../lib/run-command.mjs";
import { packPackage } from "./pack-package.mjs";

// Projects that others begin with have tests of their own.
const notForPublishing =
  /^(?!scaffold\/).*\.(test|test-d|conformance)\.|\.tsbuildinfo$|^src\/|(^|\/)test-support\//;

/**
 * Packs a package and looks at it as its users will get it: what publint and attw object to, what
 * is missing and what shouldn't be there.
 * @param {string} folder
 * @param {{ license: string, target: string }} options
 * @returns {Promise<string[]>} One line per problem.
 */
export async function checkPackage(folder, options) {
  const { tarball, files } = await packPackage(folder, options);
  return [
    ...(files.includes("LICENSE") ? [] : ["LICENSE is not in the tarball"]),
    ...files.filter((file) => notForPublishing.test(file)).map((file) => `${file} is published`),
    ...(await askPublint(tarball)),
    ...(await askAttw(tarball)),
  ];
}

/** @param {string} tarball */
async function askPublint(tarball) {
  const { buffer } = new Uint8Array(await readFile(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`);
}

/** @param {string} tarball */
async function askAttw(tarball) {
  const attw = join(import.meta.dirname, "../../node_modules/.bin/attw");
  const options = ["--profile", "esm-only", "--format", "ascii", "--no-color", "--no-emoji"];
  const { ok, output } = await runCommand(attw, [tarball, ...options, "--no-definitely-typed"]);
  return ok ? [] : [`attw: ${output.trim()}`];
}
