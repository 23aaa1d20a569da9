import { isInside } from "@haft/contract/internal";
import type { DeniedFiles } from "@haft/core/internal";
import { childOf, nameOf, parentOf } from "../../paths/path-parts.ts";
import type { GuardedPath } from "./guarded-path.ts";

/**
 * Directories that must not be moved; parents come first. They could be swapped for others of the same
 * name, with what is protected in them, or take what a rule closes to a path where none does.
 */
export function findImmovable(
  places: readonly GuardedPath[],
  roots: readonly string[],
  denied?: DeniedFiles,
): readonly string[] {
  const paths = new Set<string>();
  for (const place of places) {
    const { kind, path } = place;
    if (kind === "fixed") paths.add(path);
    else if (kind === "protected") for (const above of hiddenAbove(path, roots)) paths.add(above);
    else if (denied !== undefined && isTied(place, roots, denied)) {
      for (const above of allAbove(path, roots)) paths.add(above);
    }
  }
  for (const root of roots) paths.delete(root);
  return [...paths].sort((a, b) => a.length - b.length);
}

// Any name that no rule spells out.
const elsewhere = "haft-4b1d7c2e9f";

/** Whether a rule closes a path only where it is, unlike a rule on all files of a name. */
function isTied(
  { kind, path, type }: GuardedPath,
  roots: readonly string[],
  denied: DeniedFiles,
): boolean {
  if (kind !== "unreadable" && kind !== "unwritable") return false;
  const mode = kind === "unreadable" ? "read" : "write";
  return !roots.every((root) => {
    const moved = childOf(childOf(root, elsewhere), nameOf(path));
    return type === "directory" ? denied.hasAllOf(moved, mode) : denied.has(moved, mode);
  });
}

function allAbove(path: string, roots: readonly string[]): readonly string[] {
  const above: string[] = [];
  const isBelowRoot = (at: string): boolean =>
    roots.some((root) => root !== at && isInside(root, at));
  for (let at = parentOf(path); isBelowRoot(at); at = parentOf(at)) above.push(at);
  return above;
}

/** From the nearest dot directory above a path down to its parent. */
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
