import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FetchPlace } from "./fetch-place.ts";
import { runFetcher } from "./run-fetcher.ts";

/**
 * Gives a module that came from a repository the packages that it depends on. Those of Haft itself
 * it has from the program that mounts it. No script of a package runs.
 */
export async function installDependencies(directory: string, place: FetchPlace): Promise<void> {
  const dependencies = await readDependencies(directory);
  const modules = join(directory, "node_modules");
  if (Object.keys(dependencies).length === 0 || existsSync(modules)) return;
  const scratch = await mkdtemp(join(place.cacheDirectory, "npm-"));
  try {
    await writeFile(join(scratch, "package.json"), JSON.stringify({ private: true, dependencies }));
    const args = [
      "install",
      "--ignore-scripts",
      "--omit=dev",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    await runFetcher({ program: "npm", args, cwd: scratch, environment: place.environment });
    // Another process may have been quicker.
    await rename(join(scratch, "node_modules"), modules).catch((error: unknown) => {
      if (!existsSync(modules)) throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function readDependencies(directory: string): Promise<Record<string, unknown>> {
  try {
    const { dependencies } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
    const own = Object.entries(dependencies ?? {}).filter(([name]) => !name.startsWith("@haft/"));
    return Object.fromEntries(own);
  } catch {
    // Without a manifest that can be read there is nothing to install; what is wrong is said later.
    return {};
  }
}
