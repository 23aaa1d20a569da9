import type { DialectAlias } from "../dialect.ts";
import { describeGuidance, filePath, type ReadData } from "../shared/files.ts";
import { toRelative } from "../shared/search.ts";

/** `apply_patch`: applies a patch to files. */
export const applyPatch: DialectAlias = {
  name: "apply_patch",
  tool: "apply_patch",
  description: [
    "Applies a patch that changes, creates, deletes and moves files. If any part does not match, nothing is changed.",
    "The patch begins with `*** Begin Patch` and ends with `*** End Patch`. Between them are sections that begin with `*** Add File: PATH`, `*** Delete File: PATH` or `*** Update File: PATH`; the last may be followed by `*** Move to: PATH`.",
    "An update consists of hunks: a line `@@`, optionally followed by a preceding line of the file that helps to locate the hunk, then lines prefixed with a space (unchanged), - (removed) or + (added). Every line of a new file is prefixed with +.",
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
      "The patch was applied. Changed files:",
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

// An inexact match is worth a look.
function describeFit(name: string, { strategy = "exact", diff }: PatchedFile): string[] {
  if (strategy === "exact") return [];
  return [`${name}: the lines matched only after ignoring ${strategy}. Check the change:\n${diff}`];
}

/** `view_image`: returns an image. */
export const viewImage: DialectAlias = {
  name: "view_image",
  tool: "read",
  isPartial: true,
  description: "Returns an image file (PNG, JPEG, GIF or WebP, up to 5 MB).",
  parameters: {
    type: "object",
    properties: {
      path: filePath,
    },
    required: ["path"],
  },
  toArguments: ({ path }) => ({ path }),
  // What `image` of a program takes.
  inProgram: {
    toData: (data) => {
      const found = data as ReadData & { readonly media_type?: string; readonly data?: string };
      if (found.type !== "image") return found;
      return { image_url: `data:${found.media_type};base64,${found.data}`, detail: "auto" };
    },
  },
  toData: (data) => {
    const found = data as ReadData;
    if (found.type === "image") return found;
    const cut = found.next_offset === undefined ? "" : "\n[The rest is not shown.]";
    return `${found.path} is not an image but a ${found.type}:\n${found.content}${cut}`;
  },
};
