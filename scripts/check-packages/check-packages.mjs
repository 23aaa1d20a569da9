import { readFile } from "node:fs/promises";
import { checkPackage as checkTypes, createPackageFromTarballData } from "@arethetypeswrong/core";
import { problemKindInfo } from "@arethetypeswrong/core/problems";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { packPackages } from "./pack-packages.mjs";

/** @typedef {import("@arethetypeswrong/core").Problem} Problem */

// Projects that others begin with have tests of their own.
const notForPublishing =
  /^(?!scaffold\/).*\.(test|test-d|conformance)\.|\.tsbuildinfo$|^src\/|(^|\/)test-support\//;

/**
 * Packs packages and looks at each as its users will get it: what publint and attw object to, what
 * is missing and what shouldn't be there.
 * @param {string[]} folders
 * @param {{ license: string, target: string }} options
 * @returns {Promise<string[][]>} One line per problem, for each folder.
 */
export async function checkPackages(folders, options) {
  return Promise.all((await packPackages(folders, options)).map(checkPackage));
}

/** @param {{ tarball: string, files: string[] }} packed */
async function checkPackage({ tarball, files }) {
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

/**
 * Asks what attw asks. Its program would load TypeScript again for each package.
 * @param {string} tarball
 */
async function askAttw(tarball) {
  const analysis = await checkTypes(
    createPackageFromTarballData(new Uint8Array(await readFile(tarball))),
  );
  if (!analysis.types) return ["attw: no types are published"];
  return analysis.problems.filter(isForModules).map((problem) => `attw: ${explain(problem)}`);
}

/**
 * Packages are for programs that use modules: what CommonJS and the oldest resolution see is no problem.
 * @param {Problem} problem
 */
function isForModules(problem) {
  return !("resolutionKind" in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind));
}

/** @param {Problem} problem */
function explain({ kind, ...details }) {
  return `${problemKindInfo[kind].description} ${JSON.stringify(details)}`;
}
