import type { DialectAlias } from "../dialect.ts";
import { givenText } from "../shared/given.ts";
import { countRest, type GlobData } from "../shared/glob-data.ts";
import { toGlobPlace } from "../shared/glob-place.ts";

/** `glob`: files by name. The native tool has this name too, and other parameters. */
export const glob: DialectAlias = {
  name: "glob",
  tool: "glob",
  description: [
    "Finds files by name, with a pattern such as `src/**/*.{ts,tsx}`, and gives their absolute paths in the order of paths.",
    "Leaves out what .gitignore names and hidden files. To look into files use grep_search.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, description: "What the path has to look like." },
      dir_path: { type: "string", description: "The directory; the workspace root if left out." },
    },
    required: ["pattern"],
  },
  toArguments: ({ pattern, dir_path, path }) =>
    toGlobPlace(pattern as string, givenText(dir_path) ?? givenText(path)),
  toData: (data, _args, { given }) => {
    const { files } = data as GlobData;
    const pattern = JSON.stringify(given.pattern);
    if (files.length === 0) return `No files fit ${pattern}.`;
    const more = countRest(data as GlobData);
    return [
      `Found ${files.length} ${files.length === 1 ? "file" : "files"} for ${pattern}:`,
      ...files,
      ...(more === 0 ? [] : [`[${more} more are not shown: narrow the pattern or dir_path.]`]),
    ].join("\n");
  },
};
