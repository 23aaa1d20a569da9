/** Tells whether a path is a directory or lies below it; both absolute and normalised. */
export function isInside(directory: string, path: string): boolean {
  if (directory === "/") return path.startsWith("/");
  return (
    path.startsWith(directory) &&
    (path.length === directory.length || path[directory.length] === "/")
  );
}

/** The directory that holds a path; `/` holds itself. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}

/** The last part of a path; empty for `/`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A name below a directory. */
export function childOf(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}
