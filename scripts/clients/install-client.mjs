import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readJson } from "../lib/manifests.mjs";
import { runCommand } from "../lib/run-command.mjs";

/** @typedef {{ id: string, package: string, version: string }} Client */

/**
 * Installs one client into a folder of its own, unless just that version is there already.
 * @param {Client} client
 * @param {{ directory: string, env: NodeJS.ProcessEnv, log: (line: string) => void }} place
 */
export async function installClient(client, { directory, env, log }) {
  const folder = join(directory, client.id);
  if (isInstalled(client, folder)) return;
  log(`Installing ${client.package}@${client.version} into ${folder} …`);
  // Whole or not at all: somebody may stop it half way.
  const making = `${folder}.new`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  const manifest = {
    private: true,
    dependencies: { [client.package]: client.version },
    // Some of them put their program into place with a script.
    allowScripts: { [client.package]: true },
  };
  await writeFile(join(making, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
  const { ok, output } = await runCommand("npm", args, { cwd: making, env });
  if (!ok) throw new Error(`${client.package} can't be installed:\n${output.trim()}`);
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
}

/**
 * @param {Client} client
 * @param {string} folder
 */
function isInstalled(client, folder) {
  try {
    const manifest = readJson(join(folder, "node_modules", client.package, "package.json"));
    return manifest.version === client.version;
  } catch {
    return false;
  }
}
