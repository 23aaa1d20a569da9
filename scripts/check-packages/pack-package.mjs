import { cpSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { runCommand } from "../lib/run-command.mjs";

/**
 * Packs a package as npm would publish it, together with the project's license.
 * @param {string} folder
 * @param {{ license: string, target: string }} options Where the license is and the tarball goes.
 * @returns {Promise<{ tarball: string, files: string[] }>}
 */
export async function packPackage(folder, { license, target }) {
  // Packed from a copy: npm takes the license from the package's own folder only.
  const stage = join(target, "staged", basename(folder));
  mkdirSync(stage, { recursive: true });
  // Takes a third of the time of `cp`.
  cpSync(folder, stage, {
    recursive: true,
    filter: (path) => !/\/(node_modules|src)$/.test(path),
  });
  cpSync(license, join(stage, "LICENSE"));
  const options = ["pack", "--json", "--ignore-scripts", "--loglevel=error"];
  const { ok, output } = await runCommand("npm", [...options, "--pack-destination", target], {
    cwd: stage,
  });
  if (!ok) throw new Error(output);
  const [packed] = JSON.parse(output.slice(output.indexOf("[")));
  return {
    tarball: join(target, packed.filename),
    files: packed.files.map((/** @type {{ path: string }} */ { path }) => path),
  };
}
