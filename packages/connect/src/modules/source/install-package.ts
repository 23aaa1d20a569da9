import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import type { FetchOptions } from "./fetch-options.ts";
import { findPackage, readVersion } from "./find-package.ts";
import type { PackageSource } from "./module-source.ts";
import { runFetcher } from "./run-fetcher.ts";

/**
 * Returns the directory of a package and installs it with npm if needed. The installed version stays
 * until another one is requested or `refresh` is set. No script of a package runs.
 */
export async function installPackage(
  source: PackageSource,
  options: FetchOptions,
): Promise<string> {
  const spec = source.version === undefined ? source.name : `${source.name}@${source.version}`;
  const home = join(options.cacheDirectory, "npm", keyOf(spec));
  const kept = installedIn(home, source.name);
  if (kept !== undefined && !options.refresh) return kept;
  await mkdir(join(options.cacheDirectory, "npm"), { recursive: true });
  const scratch = await mkdtemp(`${home}-`);
  try {
    await writeFile(join(scratch, "package.json"), '{"private":true}\n');
    const args = [
      "install",
      "--ignore-scripts",
      "--save-exact",
      "--omit=dev",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--",
      spec,
    ];
    await runFetcher({ program: "npm", args, cwd: scratch, environment: options.environment });
    const found = installedIn(scratch, source.name);
    if (found === undefined || readVersion(found) === undefined) {
      throw new ToolError("unavailable", `npm reported success, but ${spec} was not installed.`);
    }
    if (options.refresh) await rm(home, { recursive: true, force: true });
    // Another process may have been faster.
    await rename(scratch, home).catch(() => stat(home));
    return installedIn(home, source.name) ?? found;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function keyOf(spec: string): string {
  return createHash("sha256").update(spec).digest("hex").slice(0, 24);
}

function installedIn(home: string, name: string): string | undefined {
  const found = findPackage(name, home);
  return found !== undefined && isInside(home, found) ? found : undefined;
}
