import { cpSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { runCommand } from "../lib/run-command.mjs";

/**
 * Packs packages as npm would publish them, together with the project's license. npm starts once for all.
 * @param {string[]} folders
 * @param {{ license: string, target: string }} options Where the license is and the tarballs go.
 * @returns {Promise<{ tarball: string, files: string[] }[]>} In the order of the folders.
 */
export async function packPackages(folders, { license, target }) {
  // Packed from copies: npm takes the license from the package's own folder only.
  const staged = folders.map((folder) => stage(folder, { license, target }));
  const options = ["pack", "--json", "--ignore-scripts", "--loglevel=error"];
  const { ok, output } = await runCommand(
    "npm",
    [...options, "--pack-destination", target, ...staged],
    { cwd: target },
  );
  if (!ok) throw new Error(output);
  /** @type {{ filename: string, files: { path: string }[] }[]} */
  const packed = JSON.parse(output.slice(output.indexOf("[")));
  return packed.map(({ filename, files }) => ({
    tarball: join(target, filename),
    files: files.map(({ path }) => path),
  }));
}

/**
 * @param {string} folder
 * @param {{ license: string, target: string }} options
 */
function stage(folder, { license, target }) {
  const copy = join(target, "staged", basename(folder));
  mkdirSync(copy, { recursive: true });
  // Takes a third of the time of `cp`.
  cpSync(folder, copy, {
    recursive: true,
    filter: (path) => !/\/(node_modules|src)$/.test(path),
  });
  cpSync(license, join(copy, "LICENSE"));
  return copy;
}
