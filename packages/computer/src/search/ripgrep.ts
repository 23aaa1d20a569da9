import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The ripgrep program that searches use. */
export interface Ripgrep {
  readonly path: string;
  /** It came with us, or the system has it. */
  readonly from: "package" | "system";
}

/** Finds ripgrep: the one that came with us, else the first on the path. */
export function findRipgrep(): Ripgrep | undefined {
  found ??= findPackaged() ?? findOnPath();
  return found;
}

let found: Ripgrep | undefined;

const program = process.platform === "win32" ? "rg.exe" : "rg";

const carrier = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`;

function findPackaged(): Ripgrep | undefined {
  const path = findAbove() ?? resolveCarrier();
  return path === undefined ? undefined : { path, from: "package" };
}

// Where npm puts it. To ask Node for it takes two milliseconds the first time.
function findAbove(): string | undefined {
  for (let at = fileURLToPath(import.meta.url), above = dirname(at); above !== at; ) {
    const path = join(above, "node_modules", carrier);
    if (isExecutable(path)) return path;
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
    if (path !== undefined && isExecutable(path)) return path;
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

function findOnPath(): Ripgrep | undefined {
  for (const directory of (process.env.PATH ?? "").split(delimiter)) {
    // A relative one would take the program from wherever we happen to be.
    const path = join(directory, program);
    if (isAbsolute(directory) && isExecutable(path)) return { path, from: "system" };
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
