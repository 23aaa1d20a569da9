import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's directory, with a slash at the end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The sources of a bundle: the time and size of each file, by its path in the project. */
export interface BundleRecord {
  /** The path of the program, relative to the directory that the bundle is kept in. */
  readonly entry: string;
  readonly sources: Readonly<Record<string, string>>;
}

/** Returns the path of a script's bundle, if there is one and none of its sources has changed. */
export function findBundle(script: string, cache: string): string | undefined {
  try {
    const text = readFileSync(recordOf(script, cache), "utf8");
    const { entry, sources } = JSON.parse(text) as BundleRecord;
    const isCurrent = Object.entries(sources).every(([path, stamp]) => stampOf(path) === stamp);
    return isCurrent ? join(cache, entry) : undefined;
  } catch {
    return undefined;
  }
}

/** The file that describes the current bundle of a script. */
export function recordOf(script: string, cache: string): string {
  return join(cache, `${nameOf(script)}.json`);
}

/** The name of a script among its bundles. */
export function nameOf(script: string): string {
  return relative(root, script).replaceAll(/[^a-z0-9]+/gu, "-");
}

/** Changes when a file of the project changes. */
export function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(join(root, path));
  return `${mtimeMs} ${size}`;
}

/**
 * The directory for the bundle of a script that our sources start as a process. It is in the script's own
 * package, which is all that root's broker sees of a project that only root can read.
 */
export function ownProcessCache(script: string): string {
  const [, name = ""] = /^packages\/([a-z]+)\//u.exec(relative(root, script)) ?? [];
  return join(root, "packages", name, "node_modules/.cache/haft-test-processes");
}
