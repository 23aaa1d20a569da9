import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";

/** Finds the directory of an installed package, upward from a directory. */
export function findPackage(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (statSync(candidate, { throwIfNoEntry: false })?.isDirectory()) {
      return realpathSync(candidate);
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the version in a package's manifest. */
export function readVersion(directory: string): string | undefined {
  const { version } = readPackage(directory);
  return typeof version === "string" ? version : undefined;
}

/** Returns a package's manifest, or an empty object if it can't be read. */
export function readPackage(directory: string): Readonly<Record<string, unknown>> {
  const path = join(directory, "package.json");
  const { bytes } = readUntrustedFile(path, { within: directory, maxBytes: 4 * 1024 * 1024 });
  try {
    const manifest: unknown = JSON.parse(bytes?.toString("utf8") ?? "");
    return typeof manifest === "object" && manifest !== null ? { ...manifest } : {};
  } catch {
    return {};
  }
}
