import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import type { FetchPlace } from "./fetch-place.ts";
import { findPackage, readVersion } from "./find-package.ts";
import type { PackageSource } from "./module-source.ts";
import { runFetcher } from "./run-fetcher.ts";

/**
 * The directory of a package, installed with npm unless it is here. The version that is found first
 * stays, until somebody asks for another or to refresh. No script of a package runs.
 */
export async function installPackage(source: PackageSource, place: FetchPlace): Promise<string> {
  const spec = source.version === undefined ? source.name : `${source.name}@${source.version}`;
  const home = join(place.cacheDirectory, "npm", keyOf(spec));
  const kept = installedIn(home, source.name);
  if (kept !== undefined && !place.refresh) return kept;
  await mkdir(join(place.cacheDirectory, "npm"), { recursive: true });
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
    await runFetcher({ program: "npm", args, cwd: scratch, environment: place.environment });
    const found = installedIn(scratch, source.name);
    if (found === undefined || readVersion(found) === undefined) {
      throw new ToolError("unavailable", `npm installed ${spec}, and it is not there.`);
    }
    if (place.refresh) await rm(home, { recursive: true, force: true });
    // Another process may have been quicker.
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
  return found?.startsWith(`${home}/`) ? found : undefined;
}
