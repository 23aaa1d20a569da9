import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The program that checks types. It is part of an optional dependency. */
export interface Compiler {
  readonly path: string;
  /** The directory with the program and the declarations of JavaScript's own objects. */
  readonly directory: string;
}

const version = "7.0.2";
const carrier = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;

/** Returns the compiler of this installation, or `undefined` if there is none for this machine. */
export function findCompiler(): Compiler | undefined {
  // The bundled program is not where this file's package is, and a workspace may have a compiler of its own.
  for (const base of [import.meta.url, resolveFrom(import.meta.url, "@haft/agent")]) {
    const carried = resolveFrom(resolveFrom(base, "typescript/package.json"), carrier);
    if (carried === undefined || readVersion(carried) !== version) continue;
    const directory = join(dirname(carried), "lib");
    return { directory, path: join(directory, process.platform === "win32" ? "tsc.exe" : "tsc") };
  }
  return undefined;
}

function resolveFrom(base: string | undefined, specifier: string): string | undefined {
  if (base === undefined) return undefined;
  try {
    return createRequire(base).resolve(specifier);
  } catch {
    return undefined;
  }
}

function readVersion(manifest: string): unknown {
  return (createRequire(manifest)(manifest) as { version?: unknown }).version;
}
