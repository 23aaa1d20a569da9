import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The directory of an installed package, looked for upward from a directory. */
export function findPackage(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) {
      return realpathSync(candidate);
    }
    if (dirname(at) === at) return undefined;
  }
}

/** The version that a package's own manifest tells. */
export function readVersion(directory: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
