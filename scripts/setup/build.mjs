import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../lib/manifests.mjs";
import { runCommand } from "../lib/run-command.mjs";
import { SetupError } from "./setup-error.mjs";
import { readStamp, writeStamp } from "./setup-stamp.mjs";

/**
 * Builds the packages and the program. The compiler is incremental by itself; not starting it at
 * all when no source was touched makes a repeated setup three times as quick.
 * @type {import("../setup.mjs").Step}
 */
export const build = {
  isDone: ({ root }) =>
    readStamp(root, "build") === sourcesFingerprint(root) &&
    projects(root).every((folder) => existsSync(join(root, folder, "dist"))) &&
    existsSync(join(root, "packages/platform/dist/page")),

  async run({ root, log }) {
    const start = Date.now();
    const fingerprint = sourcesFingerprint(root);
    const node = join(root, "node_modules/.bin/node");
    const { ok, output } = await runCommand(node, ["scripts/build.mjs"], { cwd: root });
    if (!ok) throw new SetupError(`the build has errors.\n\n${output.trim()}`);
    writeStamp(root, "build", fingerprint);
    log(`Built the packages in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  },
};

/**
 * Changes whenever a source is added, removed or touched.
 * @param {string} root
 */
function sourcesFingerprint(root) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  const files = [
    "tsconfig.json",
    "tsconfig.base.json",
    ...["index.html", "vite.config.ts"].map((file) => join("packages/console", file)),
    ...[...projects(root), "packages/console"].flatMap((folder) => [
      join(folder, "package.json"),
      join(folder, "tsconfig.json"),
      ...listFiles(root, join(folder, "src")),
    ]),
  ];
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(root, path) : [path];
    });
}

/**
 * The folders of the packages that the compiler builds.
 * @param {string} root
 * @returns {string[]}
 */
function projects(root) {
  /** @type {{ references: { path: string }[] }} */
  const { references } = readJson(join(root, "tsconfig.json"));
  return references.map(({ path }) => path);
}
