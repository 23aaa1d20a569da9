/** A pattern, and the directory that it is held against. */
export interface GlobPlace {
  readonly pattern: string;
  readonly path?: string;
}

/** Takes the directory out of a pattern that is an absolute path, as some models write them. */
export function toGlobPlace(pattern: string, path: string | undefined): GlobPlace {
  if (!pattern.startsWith("/")) return path === undefined ? { pattern } : { pattern, path };
  const parts = pattern.split("/").slice(1);
  const magic = parts.findIndex((part) => /[*?[\]{}]/u.test(part));
  const end = magic === -1 ? parts.length - 1 : magic;
  return { pattern: parts.slice(end).join("/") || "*", path: `/${parts.slice(0, end).join("/")}` };
}
