import type { DialectAlias } from "../dialect.ts";
import { givenText } from "../shared/given.ts";
import { countRest, type GlobData } from "../shared/glob-data.ts";
import { toGlobPlace } from "../shared/glob-place.ts";

/** `Glob`: files by name. */
export const glob: DialectAlias = {
  name: "Glob",
  tool: "glob",
  description: [
    "Finds files by name, with a pattern such as `src/**/*.{ts,tsx}`, and gives their absolute paths in the order of paths.",
    "Leaves out what .gitignore names and hidden files. To look into files use Grep.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, description: "What the path has to look like." },
      path: { type: "string", description: "The directory; the workspace root if left out." },
    },
    required: ["pattern"],
  },
  toArguments: ({ pattern, path }) => toGlobPlace(pattern as string, givenText(path)),
  toData: (data) => {
    const { files } = data as GlobData;
    if (files.length === 0) return "No files found";
    const more = countRest(data as GlobData);
    const rest =
      more === 0 ? [] : [`[${more} more are not shown: narrow the pattern or the path.]`];
    return [...files, ...rest].join("\n");
  },
};
