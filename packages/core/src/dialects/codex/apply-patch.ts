import type { DialectAlias } from "../dialect.ts";
import { describeGuidance } from "../shared/describe-guidance.ts";
import { toRelative } from "../shared/to-relative.ts";

/** `apply_patch`: changes files by a patch. */
export const applyPatch: DialectAlias = {
  name: "apply_patch",
  tool: "apply_patch",
  description: [
    "Changes, creates, deletes and moves files by a patch: all of it, or nothing if any part does not fit.",
    "The patch begins with `*** Begin Patch` and ends with `*** End Patch`; between them are sections that begin with `*** Add File: PATH`, `*** Delete File: PATH` or `*** Update File: PATH`, the last with `*** Move to: PATH` below it where the file is to be moved.",
    "An update has hunks: a line `@@`, with a line of the file above the place after it where that helps to find it, then lines with a space before those that stay, - before those that go and + before those that come. Every line of a new file has + before it.",
    "Paths are relative to the workspace root, or absolute.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: { input: { type: "string", minLength: 1, description: "The whole patch." } },
    required: ["input"],
  },
  toArguments: ({ input }) => ({ patch: input }),
  toData: (data, _args, { roots }) => {
    const { files, message, guidance } = data as PatchData;
    if (files.length === 0) return message;
    const name = (path: string): string => toRelative(path, roots);
    const lines = files.map(({ path, action, moved_to: target }) =>
      target === undefined
        ? `${letters[action]} ${name(path)}`
        : `${letters[action]} ${name(path)} -> ${name(target)}`,
    );
    const inexact = files.flatMap((file) => describeFit(name(file.path), file));
    return [
      "The patch is applied. Files that changed:",
      ...lines,
      ...inexact,
      ...describeGuidance(guidance),
    ].join("\n");
  },
};

const letters = { created: "A", updated: "M", deleted: "D", moved: "R" } as const;

interface PatchData {
  readonly files: readonly PatchedFile[];
  readonly message: string;
  readonly guidance?: readonly string[];
}

interface PatchedFile {
  readonly path: string;
  readonly action: keyof typeof letters;
  readonly moved_to?: string;
  readonly diff: string;
  readonly strategy?: string;
  readonly offset?: number;
}

// Where a hunk was not found just so, what it did is worth a look.
function describeFit(name: string, { strategy = "exact", diff }: PatchedFile): string[] {
  if (strategy === "exact") return [];
  return [`${name}: the lines fit only when ${strategy} was ignored. Check what changed:\n${diff}`];
}
