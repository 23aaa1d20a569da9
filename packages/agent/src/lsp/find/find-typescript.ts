import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findOwnProgram, type ProgramPlace, staysAmongPackages } from "./find-own-program.ts";
import { directoriesUpTo } from "./find-root.ts";
import type { ServerProgram } from "./language.ts";

/** A server with the path of its program. */
export interface FoundProgram extends ServerProgram {
  readonly path: string;
  /** Directories that it reads beside the workspace. */
  readonly reads?: readonly string[];
}

/**
 * The server for TypeScript and JavaScript. Up to version 6 the compiler needs one beside it; from 7
 * on it is one itself.
 */
export function findTypeScript(
  programs: readonly ServerProgram[],
  place: ProgramPlace,
): FoundProgram | undefined {
  const own = findPackage(place);
  for (const server of programs) {
    const path = findOwnProgram(server.program, place);
    if (path === undefined) continue;
    if (server.program !== "typescript-language-server") {
      if (server.program === "tsc" && !isServer(path)) continue;
      return { ...server, path };
    }
    // It can't make use of a newer compiler, which may serve by itself.
    if (own?.tsserver === undefined && own !== undefined) continue;
    return {
      ...server,
      path,
      reads: own === undefined ? [] : [own.directory],
      options: {
        disableAutomaticTypingAcquisition: true,
        tsserver: {
          ...(own?.tsserver !== undefined && { path: own.tsserver }),
          // A second, quicker one would answer for single files while the first still loads.
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

function findPackage({ workspace, file, roots }: ProgramPlace): TypeScriptPackage | undefined {
  for (const directory of directoriesUpTo(workspace, file)) {
    const path = join(directory, "node_modules/typescript");
    const manifest = readManifest(path);
    if (manifest?.name !== "typescript" || !staysAmongPackages(path, roots)) continue;
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
  try {
    return JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
  } catch {
    return undefined;
  }
}
