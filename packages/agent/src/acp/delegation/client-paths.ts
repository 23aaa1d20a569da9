import { sep } from "node:path";

/** How a client spells the directories of a session. */
export interface ClientPaths {
  /** A path with links resolved as the client knows it; `undefined` outside the session's directories. */
  find(path: string): string | undefined;
  /** The same, or the path as it is. */
  show(path: string): string;
}

/** Makes paths that the client recognises of ours, which have links resolved. */
export function createClientPaths(
  directories: readonly string[],
  identify: (path: string) => string,
): ClientPaths {
  // The deepest goes first: it is the most specific.
  const places = directories
    .map((given) => ({ given, real: identify(given) }))
    .sort((a, b) => b.real.length - a.real.length);
  const find = (path: string): string | undefined => {
    const place = places.find(({ real }) => isInside(real, path));
    return place && place.given.replace(/(?<=.)\/+$/u, "") + path.slice(place.real.length);
  };
  return { find, show: (path) => find(path) ?? path };
}

/** Whether a path is a directory or lies below it; both with links resolved. */
export function isInside(directory: string, path: string): boolean {
  const start = directory.endsWith(sep) ? directory : directory + sep;
  return path === directory || path.startsWith(start);
}
