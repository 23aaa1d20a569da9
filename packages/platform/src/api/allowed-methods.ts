/** A URL pattern and its methods. */
export interface ServedAt {
  readonly url: string;
  readonly methods: readonly string[];
}

/** Creates a function that returns the methods of a path; none if nothing is served there. */
export function createMethodFinder(served: readonly ServedAt[]): (path: string) => string[] {
  const patterns = served.map(({ url, methods }) => ({ pattern: toPattern(url), methods }));
  return (path) => [
    ...new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods),
    ),
  ];
}

function toPattern(url: string): RegExp {
  const parts = url.replace(/\/$/u, "").split("/");
  const source = parts.map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : part.replaceAll(/[^\w-]/gu, "\\$&");
  });
  return new RegExp(`^${source.join("/")}/?$`, "u");
}
