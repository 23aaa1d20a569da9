import { isInside } from "@haft/contract/internal";

/** How a client spells the directories of a session. */
export interface ClientPaths {
  /** Returns the client's spelling of a resolved path, or `undefined` outside the session's directories. */
  find(path: string): string | undefined;
  /** Like `find`, but returns the path itself outside the session's directories. */
  show(path: string): string;
}

/** Translates paths with links resolved into the spelling that the client used. */
export function createClientPaths(
  directories: readonly string[],
  identify: (path: string) => string,
): ClientPaths {
  // The deepest comes first, because it is the most specific.
  const known = directories
    .map((given) => ({ given, real: identify(given) }))
    .sort((a, b) => b.real.length - a.real.length);
  const find = (path: string): string | undefined => {
    const found = known.find(({ real }) => isInside(real, path));
    return found && found.given.replace(/(?<=.)\/+$/u, "") + path.slice(found.real.length);
  };
  return { find, show: (path) => find(path) ?? path };
}
