import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FetchOptions } from "./fetch-options.ts";
import { readPackage } from "./find-package.ts";
import { runFetcher } from "./run-fetcher.ts";

/**
 * Installs the dependencies of a module from a repository. Packages of Haft itself are provided by
 * this program. No script of a package runs.
 */
export async function installDependencies(directory: string, options: FetchOptions): Promise<void> {
  const dependencies = readDependencies(directory);
  const modules = join(directory, "node_modules");
  if (Object.keys(dependencies).length === 0 || existsSync(modules)) return;
  const scratch = await mkdtemp(join(options.cacheDirectory, "npm-"));
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
    await runFetcher({ program: "npm", args, cwd: scratch, environment: options.environment });
    // Another process may have been faster.
    await rename(join(scratch, "node_modules"), modules).catch((error: unknown) => {
      if (!existsSync(modules)) throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

// An unreadable manifest has no dependencies here; the error is reported later.
function readDependencies(directory: string): Record<string, unknown> {
  const { dependencies } = readPackage(directory);
  const own = Object.entries(dependencies ?? {}).filter(([name]) => !name.startsWith("@haft/"));
  return Object.fromEntries(own);
}
