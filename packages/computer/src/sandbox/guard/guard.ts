import { realpathSync, statSync } from "node:fs";
import { ToolError } from "@haft/contract";
import { isInside, parentOf } from "../../paths/path-parts.ts";
import type { GuardedPlace } from "./guarded-place.ts";
import { GuardedTree } from "./guarded-tree.ts";

/** What a command may touch; paths without links. */
export interface GuardedRoots {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

/** What must be kept from a command in the directories that it may touch. */
export interface GuardedPlaces {
  /** Files, and whole directories, that are not to be read. */
  readonly secrets: readonly Pick<GuardedPlace, "path" | "type">[];
  /** Files and directories that are not to be changed. */
  readonly unchangeable: readonly string[];
  /** Directories that are not to be moved away; they come before what is in them. */
  readonly immovable: readonly string[];
  /** All that is in directories that can be written, to compare with afterwards. */
  readonly places: readonly GuardedPlace[];
}

// Every one is a mount, and to make one takes longer the more there are.
const mostPlaces = 1_000;

/**
 * Finds what must be guarded, again and again.
 *
 * Every guard is a mount that bubblewrap makes at a path. Whatever runs in the same directories at
 * that instant, and swaps one directory for another, can make guards below the top land elsewhere:
 * two commands that work together could so read a secret there, or leave an empty file of a guarded
 * name somewhere else. Nothing outside can be seen or changed that way, because what is shown is
 * held by descriptors and not looked up by name.
 */
export class Guard {
  readonly #trees = new Map<string, GuardedTree>();

  /** What must be kept from a command that may touch these directories. */
  async inspect(roots: GuardedRoots): Promise<GuardedPlaces> {
    const { readable, writable } = roots;
    const places = await this.findBelow(writable);
    const others = await this.findBelow(readable.filter((path) => !isInsideAny(writable, path)));
    const guarded: GuardedPlaces = {
      secrets: findSecrets([...places, ...others], [...readable, ...writable]),
      unchangeable: places.filter(isUnchangeable).map(({ path }) => path),
      immovable: findImmovable(places, writable),
      places,
    };
    const { secrets, unchangeable, immovable } = guarded;
    if (secrets.length + unchangeable.length + immovable.length > mostPlaces) {
      throw tooMany(guarded, roots);
    }
    return guarded;
  }

  /** All places below directories, each told once. */
  async findBelow(roots: readonly string[]): Promise<readonly GuardedPlace[]> {
    const outermost = roots.filter(
      (root, index) =>
        roots.indexOf(root) === index &&
        !roots.some((other) => other !== root && isInside(other, root)),
    );
    const found = await Promise.all(outermost.map((root) => this.#treeOf(root).find()));
    return found.flat();
  }

  #treeOf(root: string): GuardedTree {
    const known = this.#trees.get(root) ?? new GuardedTree(root);
    this.#trees.set(root, known);
    return known;
  }
}

function isUnchangeable({ kind, type }: GuardedPlace): boolean {
  return kind === "protected" && type !== "link";
}

function findSecrets(
  places: readonly GuardedPlace[],
  roots: readonly string[],
): GuardedPlaces["secrets"] {
  const secrets = new Map<string, Pick<GuardedPlace, "path" | "type">>();
  for (const place of places) {
    if (place.kind !== "secret") continue;
    if (place.type !== "link") secrets.set(place.path, place);
    // Nothing can be put over a link; but what it leads to is as secret as its name says.
    else
      for (const path of followLink(place.path, roots)) secrets.set(path, { path, type: "file" });
  }
  return [...secrets.values()];
}

function followLink(path: string, roots: readonly string[]): readonly string[] {
  try {
    const landing = realpathSync.native(path);
    return isInsideAny(roots, landing) && statSync(landing).isFile() ? [landing] : [];
  } catch {
    // It leads nowhere.
    return [];
  }
}

/** Directories that could be put aside for others of the same name, with what is protected in them. */
function findImmovable(
  places: readonly GuardedPlace[],
  roots: readonly string[],
): readonly string[] {
  const paths = new Set<string>();
  for (const { kind, path } of places) {
    if (kind === "fixed") paths.add(path);
    else if (kind === "protected") for (const above of hiddenAbove(path, roots)) paths.add(above);
  }
  return [...paths].sort((a, b) => a.length - b.length);
}

/** From the nearest directory above whose name begins with a dot down to the one that holds a path. */
function hiddenAbove(path: string, roots: readonly string[]): readonly string[] {
  const parent = parentOf(path);
  const dot = parent.lastIndexOf("/.");
  const end = (from: number): number => {
    const slash = parent.indexOf("/", from + 1);
    return slash < 0 ? parent.length : slash;
  };
  const first = parent.slice(0, end(dot));
  if (dot < 0 || !roots.some((root) => root !== first && isInside(root, first))) return [];
  // Within a repository git itself moves directories.
  if (first.endsWith("/.git")) return [first];
  const above = [first];
  for (let at = first.length; at < parent.length; ) {
    at = end(at);
    above.push(parent.slice(0, at));
  }
  return above;
}

function isInsideAny(directories: readonly string[], path: string): boolean {
  return directories.some((directory) => isInside(directory, path));
}

function tooMany({ secrets }: GuardedPlaces, { readable, writable }: GuardedRoots): ToolError {
  const example = secrets[0] === undefined ? "" : `, such as ${secrets[0].path}`;
  return new ToolError(
    "too-large",
    `No command can run in ${[...writable, ...readable].join(", ")}: more than ${mostPlaces} files there hold secrets by their names${example}, or are protected. Work in a directory below it.`,
  );
}
