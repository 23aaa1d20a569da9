import { type ObjectSchema, ToolError } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type Given, givenCount, givenText, leaveOut } from "../shared/given.ts";
import { type Around, toContext } from "../shared/grep-lines.ts";
import { globsOfTypes, toGlob } from "./file-types.ts";
import { showContent, showCounts, showFiles } from "./grep-text.ts";

const parameters: ObjectSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "A regular expression in Rust's syntax." },
    path: { type: "string", description: "A file or directory; the workspace if left out." },
    glob: { type: "string", description: "Only files that fit it, such as `*.{ts,tsx}`." },
    type: {
      type: "string",
      description: `Only files of this type: ${[...globsOfTypes.keys()].join(", ")}.`,
    },
    output_mode: {
      enum: ["content", "files_with_matches", "count"],
      description: "Lines, paths (which is the default), or how many lines match in each file.",
    },
    "-A": { type: "number", description: "Lines to show after each match; with content." },
    "-B": { type: "number", description: "Lines to show before each match; with content." },
    "-C": { type: "number", description: "Lines to show on both sides; with content." },
    "-n": { type: "boolean", description: "Show line numbers, with content; true unless said." },
    "-i": { type: "boolean", description: "Take capital and small letters for the same." },
    head_limit: { type: "number", description: "How many entries to show; 250 unless said." },
    offset: { type: "number", description: "How many entries to pass over first." },
  },
  required: ["pattern"],
};

const shared = { name: "Grep", tool: "grep", parameters, toArguments } as const;

/** `Grep`: by content, in three modes that want different limits of the search. */
export const grep: readonly DialectAlias[] = [
  {
    ...shared,
    description: [
      "Searches the contents of files, line by line, with a regular expression.",
      "Gives the paths of files that match, or with output_mode their lines or how many they are.",
      "Leaves out what .gitignore names, hidden and binary files. To find files by name use Glob.",
    ].join(" "),
    settings: { matches: 10_000, matches_per_file: 1, line_length: 40 },
    suits: ({ output_mode: mode }) => mode !== "content" && mode !== "count",
    toData: showFiles,
  },
  {
    ...shared,
    hidden: true,
    settings: { matches: 5_000, line_length: 500 },
    suits: ({ output_mode: mode }) => mode === "content",
    toData: (data, _args, environment) =>
      showContent(data, toAround(environment.given), environment),
  },
  {
    ...shared,
    hidden: true,
    settings: { matches: 50_000, line_length: 40 },
    suits: ({ output_mode: mode }) => mode === "count",
    toData: showCounts,
  },
];

function toArguments(given: Given): unknown {
  if (given.multiline === true) {
    throw new ToolError(
      "invalid-arguments",
      "multiline: lines are searched one by one here. Look for what stands on one line, and show those around it with -A or -B.",
    );
  }
  const isContent = given.output_mode === "content";
  return leaveOut({
    pattern: given.pattern,
    case_sensitive: given["-i"] !== true,
    path: givenText(given.path),
    glob: toGlob(givenText(given.glob), givenText(given.type)),
    ...(isContent ? toContext(toAround(given)) : {}),
  });
}

function toAround(given: Given): Around {
  const both = givenCount(given["-C"] ?? given.context, 0) ?? 0;
  return {
    before: givenCount(given["-B"], 0) ?? both,
    after: givenCount(given["-A"], 0) ?? both,
  };
}
