import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "@haft/contract/internal";
import { readUntrustedFile } from "../../disk/read-untrusted-file.ts";
import { isSecretPath } from "../../paths/secret-path.ts";
import { isSettled } from "../../search/settled.ts";
import type { SandboxContext } from "../sandbox-context.ts";
import { findNodeFiles } from "./node-files.ts";
import { systemDirectories } from "./system-directories.ts";
import { toolchainTable } from "./toolchain-table.ts";

/** Programs outside the system that commands can run. */
export interface Toolchains {
  /** Whole directories, or single files; links resolved. */
  readonly directories: readonly string[];
  /** Files in them that have names of secrets now, and must not be read. */
  findSecrets(): readonly ToolchainSecret[];
}

/** A private file of a tool. */
export interface ToolchainSecret {
  readonly path: string;
  readonly type: "file" | "directory";
}

/** Finds where the programs on the `PATH` outside the system come from. */
export function findToolchains(place: SandboxContext): Toolchains {
  if (place.isBare) return { directories: findNodeFiles(), findSecrets: () => [] };
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

/** What the programs in a directory need to run. */
function explain(
  directory: string,
  home: string | undefined,
  isElsewhere: (path: string) => boolean,
): readonly string[] {
  const path = directory.startsWith("/") ? resolved(directory) : undefined;
  // A project's own programs lead to the project's other directories, which were not granted.
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
  #settings: readonly WatchedSettings[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** Looks again if the names in the directory have changed. */
  findSecrets(): readonly ToolchainSecret[] {
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.mtimeMs !== this.#changedAt) {
      const found = find(this.#path, depth);
      this.#secrets = found.filter(({ path }) => isSecretPath(path));
      this.#settings = found
        .filter(({ path }) => !isSecretPath(path))
        .map(({ path }) => new WatchedSettings(path));
      this.#changedAt = isSettled(stats) ? stats.mtimeMs : undefined;
    }
    const telling = this.#settings.filter((settings) => settings.holdCredentials());
    return [...this.#secrets, ...telling.map(({ path }) => ({ path, type: "file" }) as const)];
  }
}

// Settings of tools, in which people keep tokens beside what the tool needs.
const settingsName =
  /^(?:config(?:\.toml)?|npmrc|\.yarnrc(?:\.yml)?|\.?bunfig\.toml|\.?condarc|pip\.conf|auth\.(?:toml|json|ini)|settings\.xml|gradle\.properties|nuget\.config)$/iu;

const credential =
  /(?:token|passw(?:or)?d|secret|_auth|api[-_]?key)[\w"'-]*\s*[=:>]|:\/\/[^/@\s:]*:[^/@\s]+@/iu;

/** A settings file that is read again when it changed. */
class WatchedSettings {
  readonly path: string;
  #stamp = "";
  #isTelling = false;

  constructor(path: string) {
    this.path = path;
  }

  holdCredentials(): boolean {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (stamp !== this.#stamp || !isSettled(stats)) {
      const { bytes } = readUntrustedFile(this.path, {
        within: dirname(this.path),
        maxBytes: maxSettingsBytes,
        takesHead: true,
      });
      // Unreadable files are closed, like those that are too long to be searched.
      this.#isTelling =
        bytes === undefined ||
        stats.size > maxSettingsBytes ||
        credential.test(bytes.toString("utf8"));
      this.#stamp = stamp;
    }
    return this.#isTelling;
  }
}

const maxSettingsBytes = 256 * 1024;

/** Files with names of secrets, and settings that may hold one. */
function find(directory: string, levels: number): readonly ToolchainSecret[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const path = join(directory, entry.name);
      const type = entry.isDirectory() ? "directory" : "file";
      if (!entry.isSymbolicLink() && isSecretPath(path)) return [{ path, type }] as const;
      if (entry.isFile() && settingsName.test(entry.name)) return [{ path, type }] as const;
      return type === "directory" && levels > 1 ? find(path, levels - 1) : [];
    });
  } catch {
    return [];
  }
}
