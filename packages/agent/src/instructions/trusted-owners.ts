import { type Stats, statSync } from "node:fs";

/** Tells who could have put a file where it is. */
export interface TrustedOwners {
  /**
   * Why a file in this directory is not to be believed, as the rest of a sentence; `undefined` if nothing
   * speaks against it.
   */
  findDoubt(file: Stats, directory: string): string | undefined;
}

/**
 * Trusts this user, the system and whoever the workspace belongs to: who works in it has chosen to. A
 * file of anybody else, or one in a directory that everybody may write to, could have been planted.
 */
export function createTrustedOwners(
  workspace: string,
  user: number | undefined = process.getuid?.(),
): TrustedOwners {
  // A system without users of this kind has nothing to compare.
  if (user === undefined) return { findDoubt: () => undefined };
  let trusted: ReadonlySet<number> | undefined;
  const findTrusted = (): ReadonlySet<number> => {
    trusted ??= new Set([0, user, statOf(workspace)?.uid ?? user]);
    return trusted;
  };
  const openDirectories = new Map<string, boolean>();
  const isOpen = (directory: string): boolean => {
    const known = openDirectories.get(directory);
    if (known !== undefined) return known;
    const stat = statOf(directory);
    const open = stat !== undefined && stat.uid !== user && (stat.mode & everybodyWrites) !== 0;
    openDirectories.set(directory, open);
    return open;
  };
  return {
    findDoubt: (file, directory) => {
      if (!findTrusted().has(file.uid)) return "belongs to another user";
      return isOpen(directory) ? "is in a directory that everybody may write to" : undefined;
    },
  };
}

const everybodyWrites = 0o002;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // What may not be looked at tells nothing.
    return undefined;
  }
}
