import type { CallCase } from "./call-case.ts";

const files = { "src/app.ts": "one\ntwo\n", "src/View.tsx": "<a />\n", "README.md": "# Shop\n" };

const wrap: readonly ((path: string) => string)[] = [
  (path) => `@${path}`,
  (path) => `\`${path}\``,
  (path) => `"${path}"`,
  (path) => `'${path}'`,
  (path) => `${path}\n`,
  (path) => ` ${path} `,
  (path) => `./${path}`,
  (path) => path.replaceAll("/", "\\"),
  (path) => `a/${path}`,
  (path) => `b/${path}`,
  (path) => `${path}:1`,
  (path) => `${path}:1:3`,
  (path) => `${path}#L1`,
  (path) => `/workspace/${path}`,
  (path) => `file:///workspace/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace("src/", "lib/"),
  (path) => path.replace("src/", ""),
  (path) => `<${path}>`,
];

/** Paths as they are written in chats, diffs and search results. */
export const pathCases: readonly CallCase[] = Object.entries(files).flatMap(([path, text]) => {
  const [first = ""] = text.split("\n");
  return wrap
    .map((distort) => distort(path))
    .filter((sent) => sent !== path)
    .flatMap((sent): CallCase[] => [
      { kind: "paths", files, name: "read", args: { path: sent }, shows: `1: ${first}` },
      {
        kind: "paths",
        files,
        name: "edit",
        args: { path: sent, old_string: first, new_string: "new" },
        changes: { [path]: text.replace(first, "new") },
      },
    ]);
});
