import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../paths/path-parts.ts";
import { isSecretPath } from "../../paths/secret-path.ts";
import { isSettled } from "../../search/settled.ts";
import type { SandboxPlace } from "../sandbox-place.ts";
import { systemDirectories } from "./system-directories.ts";
import { toolchainTable } from "./toolchain-table.ts";

/** Programs outside the system that commands can run. */
export interface Toolchains {
  /** Directories with all that is in them, links resolved. */
  readonly directories: readonly string[];
  /** What in them is named like a secret now, and not to be read. */
  findSecrets(): readonly ToolchainSecret[];
}

/** What a tool keeps of its user's that nobody else is to read. */
export interface ToolchainSecret {
  readonly path: string;
  readonly type: "file" | "directory";
}

/** Finds out where the programs come from that `PATH` leads to, beside the system. */
export function findToolchains(place: SandboxPlace): Toolchains {
  const { roots, home } = place;
  const isElsewhere = (path: string): boolean =>
    !systemDirectories.some((system) => isInside(system, path)) &&
    !roots.some((root) => isInside(root, path) || isInside(path, root)) &&
    !(home !== undefined && isInside(path, home)) &&
    !isInside(path, place.stateDirectory) &&
    path !== "/";
  const paths = new Set<string>();
  for (const directory of [dirname(process.execPath), ...(place.searchPath ?? "").split(":")]) {
    for (const path of explain(directory, home, isElsewhere)) paths.add(path);
  }
  const directories = [...paths]
    .filter((path, _, all) => !all.some((other) => other !== path && isInside(other, path)))
    .sort();
  const found = directories.map((path) => new WatchedToolchain(path));
  return { directories, findSecrets: () => found.flatMap((toolchain) => toolchain.findSecrets()) };
}

/** What is needed for the programs in a directory to run. */
function explain(
  directory: string,
  home: string | undefined,
  isElsewhere: (path: string) => boolean,
): readonly string[] {
  const path = directory.startsWith("/") ? resolved(directory) : undefined;
  // A project's own programs lead to the project's other directories, which nobody named.
  if (path === undefined || path.includes("/node_modules/.")) return [];
  for (const row of home === undefined ? [] : toolchainTable) {
    const places = row.map((name) => join(home ?? "/", name));
    if (!places.some((place) => isInside(place, path) || isInside(place, directory))) continue;
    return places.flatMap((place) => resolved(place) ?? []).filter(isElsewhere);
  }
  const parent = dirname(path);
  const isInstalled =
    basename(path) === "bin" && installed.some((name) => existsSync(join(parent, name)));
  return [...(isInstalled ? [parent] : []), path].filter(isElsewhere).slice(0, 1);
}

const installed = ["lib", "libexec", "share", "include"];

function resolved(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}

// Tools keep their passwords at the top of their directories; below are thousands of files that
// came with them.
const depth = 2;

class WatchedToolchain {
  readonly #path: string;
  #changedAt: number | undefined;
  #secrets: readonly ToolchainSecret[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** Looks again if there are other names in the directory by now. */
  findSecrets(): readonly ToolchainSecret[] {
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.mtimeMs !== this.#changedAt) {
      this.#secrets = findSecrets(this.#path, depth);
      this.#changedAt = isSettled(stats) ? stats.mtimeMs : undefined;
    }
    return this.#secrets;
  }
}

function findSecrets(directory: string, levels: number): readonly ToolchainSecret[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const path = join(directory, entry.name);
      const type = entry.isDirectory() ? "directory" : "file";
      if (!entry.isSymbolicLink() && isSecretPath(path)) return [{ path, type }] as const;
      return type === "directory" && levels > 1 ? findSecrets(path, levels - 1) : [];
    });
  } catch {
    return [];
  }
}
