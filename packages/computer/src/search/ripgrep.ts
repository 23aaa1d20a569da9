import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isExecutableFile, listPathDirectories } from "../paths/find-on-path.ts";

/** The ripgrep program that searches use. */
export interface Ripgrep {
  readonly path: string;
  /** Whether it came with Haft, or belongs to the system. */
  readonly from: "package" | "system";
}

/** Finds ripgrep: the bundled one, else the first on the `PATH`. */
export function findRipgrep(): Ripgrep | undefined {
  found ??= findPackaged() ?? findOnSystem();
  return found;
}

let found: Ripgrep | undefined;

const program = process.platform === "win32" ? "rg.exe" : "rg";

const carrier = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`;

function findPackaged(): Ripgrep | undefined {
  const path = findAbove() ?? resolveCarrier();
  return path === undefined ? undefined : { path, from: "package" };
}

// Where npm puts it. Asking Node for it takes two milliseconds the first time.
function findAbove(): string | undefined {
  for (let at = fileURLToPath(import.meta.url), above = dirname(at); above !== at; ) {
    const path = join(above, "node_modules", carrier);
    if (isExecutableFile(path)) return path;
    at = above;
    above = dirname(at);
  }
  return undefined;
}

// It is a dependency of a dependency. Some package managers let only that one see it, and the
// bundled program is not where this file's package is.
function resolveCarrier(): string | undefined {
  let base = import.meta.url;
  for (const next of ["@haft/computer", "@vscode/ripgrep", undefined]) {
    const path = resolveFrom(base, carrier);
    if (path !== undefined && isExecutableFile(path)) return path;
    base = (next && resolveFrom(base, next)) ?? base;
  }
  return undefined;
}

function resolveFrom(base: string, specifier: string): string | undefined {
  try {
    return createRequire(base).resolve(specifier);
  } catch {
    return undefined;
  }
}

function findOnSystem(): Ripgrep | undefined {
  // npx puts project directories on the PATH.
  const path = listPathDirectories(process.env.PATH)
    .filter((directory) => !directory.includes("/node_modules/"))
    .map((directory) => join(directory, program))
    .find(isExecutableFile);
  return path === undefined ? undefined : { path, from: "system" };
}
