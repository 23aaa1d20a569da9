import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";
import { findOwnProgram, type ProgramSearch, staysAmongPackages } from "./find-own-program.ts";
import { directoriesUpTo } from "./find-root.ts";
import type { ServerProgram } from "./language.ts";

/** A server with the path of its program. */
export interface FoundProgram extends ServerProgram {
  readonly path: string;
  /** Directories that it reads in addition to the workspace. */
  readonly reads?: readonly string[];
}

/**
 * Finds the server for TypeScript and JavaScript. Up to version 6 the compiler needs a separate one; from 7
 * on it is one itself.
 */
export function findTypeScript(
  programs: readonly ServerProgram[],
  place: ProgramSearch,
): FoundProgram | undefined {
  const own = findPackage(place);
  for (const server of programs) {
    const path = findOwnProgram(server.program, place);
    if (path === undefined) continue;
    if (server.program !== "typescript-language-server") {
      if (server.program === "tsc" && !isServer(path)) continue;
      return { ...server, path };
    }
    // It does not support newer compilers, which are servers themselves.
    if (own?.tsserver === undefined && own !== undefined) continue;
    return {
      ...server,
      path,
      reads: own === undefined ? [] : [own.directory],
      options: {
        disableAutomaticTypingAcquisition: true,
        tsserver: {
          ...(own?.tsserver !== undefined && { path: own.tsserver }),
          // Otherwise a second, syntax-only server would answer while the first one is loading.
          useSyntaxServer: "never",
          useClientFileWatcher: true,
        },
      },
    };
  }
  return undefined;
}

interface TypeScriptPackage {
  readonly directory: string;
  /** Absent from version 7 on. */
  readonly tsserver: string | undefined;
}

function findPackage({ top, file, roots }: ProgramSearch): TypeScriptPackage | undefined {
  for (const directory of directoriesUpTo(top, file)) {
    const path = join(directory, "node_modules/typescript");
    const manifest = readManifest(path);
    if (manifest?.name !== "typescript" || !staysAmongPackages(path, [...roots, top])) continue;
    const landing = realpathSync.native(path);
    const tsserver = join(landing, "lib/tsserver.js");
    return { directory: landing, tsserver: existsSync(tsserver) ? tsserver : undefined };
  }
  return undefined;
}

function isServer(compiler: string): boolean {
  const manifest = readManifest(dirname(dirname(realpathSync.native(compiler))));
  return Number.parseInt(manifest?.version ?? "", 10) >= 7;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

function readManifest(directory: string): Manifest | undefined {
  const path = join(directory, "package.json");
  const { bytes } = readUntrustedFile(path, { within: directory, maxBytes: 1024 * 1024 });
  try {
    return JSON.parse(bytes?.toString("utf8") ?? "") as Manifest;
  } catch {
    return undefined;
  }
}
