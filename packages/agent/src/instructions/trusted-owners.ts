import { type Stats, statSync } from "node:fs";

/** Checks who could have created a file. */
export interface TrustedOwners {
  /**
   * Returns why a file in this directory is not trusted, as the rest of a sentence, or `undefined` if
   * it is.
   */
  findDoubt(file: Stats, directory: string): string | undefined;
}

/**
 * Trusts files of this user, of root and of the workspace's owner: the user has chosen to work there. A
 * file of another user, or one in a world-writable directory, could have been planted.
 */
export function createTrustedOwners(
  workspace: string,
  user: number | undefined = process.getuid?.(),
): TrustedOwners {
  // Windows has no user IDs to compare.
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
      return isOpen(directory) ? "is in a world-writable directory" : undefined;
    },
  };
}

const everybodyWrites = 0o002;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Without permission nothing can be told.
    return undefined;
  }
}
