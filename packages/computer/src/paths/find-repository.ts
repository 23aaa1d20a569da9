import { lstatSync } from "node:fs";
import { isWide, type WideDirectories } from "./is-wide.ts";
import { childOf, parentOf } from "./path-parts.ts";

/**
 * Returns the roots of the repositories that workspace roots are a part of. A workspace root with a `.git`
 * of its own is a part of none. As for git, a directory that belongs to another user is no repository:
 * everyone can create a `.git` in a shared directory.
 */
export function findRepositories(
  roots: readonly string[],
  wide: WideDirectories,
): readonly string[] {
  return [...new Set(roots.flatMap((root) => findRepository(root, wide) ?? []))];
}

function findRepository(root: string, wide: WideDirectories): string | undefined {
  const owners = new Set([process.getuid?.() ?? 0, ownerOf(root)]);
  if (ownerOf(childOf(root, ".git")) !== undefined) return undefined;
  for (let at = parentOf(root); !isWide(at, wide); at = parentOf(at)) {
    if (!owners.has(ownerOf(at) ?? -1)) return undefined;
    const owner = ownerOf(childOf(at, ".git"));
    if (owner !== undefined) return owners.has(owner) ? at : undefined;
  }
  return undefined;
}

function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}
