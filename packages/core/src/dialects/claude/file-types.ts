import { ToolError } from "@haft/contract";

/** The file types of `Grep` with their file name extensions. */
export const globsOfTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ["js", ["js", "jsx", "mjs", "cjs", "vue"]],
  ["ts", ["ts", "tsx", "mts", "cts"]],
  ["py", ["py", "pyi"]],
  ["rust", ["rs"]],
  ["go", ["go"]],
  ["java", ["java"]],
  ["kotlin", ["kt", "kts"]],
  ["swift", ["swift"]],
  ["c", ["c", "h"]],
  ["cpp", ["cpp", "cc", "cxx", "hpp", "hh", "hxx", "h"]],
  ["csharp", ["cs"]],
  ["ruby", ["rb"]],
  ["php", ["php"]],
  ["html", ["html", "htm"]],
  ["css", ["css", "scss"]],
  ["json", ["json"]],
  ["yaml", ["yaml", "yml"]],
  ["toml", ["toml"]],
  ["md", ["md", "markdown", "mdx"]],
  ["sh", ["sh", "bash", "zsh"]],
  ["sql", ["sql"]],
  ["txt", ["txt"]],
]);

/** Combines several globs into one, or returns the glob of a type. */
export function toGlob(glob: string | undefined, type: string | undefined): string | undefined {
  if (type !== undefined) endingsOf(type);
  if (glob !== undefined) return joinGlobs(glob);
  if (type === undefined) return undefined;
  const endings = endingsOf(type);
  return endings.length === 1 ? `*.${endings[0]}` : `*.{${endings.join(",")}}`;
}

/** Tells whether a file is of a type. */
export function isOfType(path: string, type: string): boolean {
  return endingsOf(type).some((ending) => path.endsWith(`.${ending}`));
}

function endingsOf(type: string): readonly string[] {
  const endings = globsOfTypes.get(type);
  if (endings !== undefined) return endings;
  throw new ToolError(
    "invalid-arguments",
    `type: unknown type ${JSON.stringify(type)}. Known types: ${[...globsOfTypes.keys()].join(", ")}. For other files use glob.`,
  );
}

function joinGlobs(glob: string): string {
  const parts = glob
    .split(/\s+/u)
    .flatMap((part) => (/[{}]/u.test(part) ? [part] : part.split(",")));
  const patterns = parts.filter((part) => part !== "");
  return patterns.length > 1 ? `{${patterns.join(",")}}` : (patterns[0] ?? glob);
}
