import { type ObjectSchema, ToolError } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type Given, givenCount, givenText, leaveOut } from "../shared/given.ts";
import {
  type Around,
  countRest,
  type GlobData,
  toContext,
  toGlobArguments,
} from "../shared/search.ts";
import { globsOfTypes, toGlob } from "./file-types.ts";
import { showContent, showCounts, showFiles } from "./grep-text.ts";

/** `Glob`: finds files by name. */
export const glob: DialectAlias = {
  name: "Glob",
  tool: "glob",
  settings: { files: 2_000 },
  description: [
    "Finds files by a glob pattern such as `src/**/*.{ts,tsx}` and returns their absolute paths, sorted.",
    "Leaves out hidden files and files ignored by .gitignore. To search file contents use Grep.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, description: "Glob pattern for the path." },
      path: { type: "string", description: "Directory to search. Default: the workspace root." },
    },
    required: ["pattern"],
  },
  toArguments: ({ pattern, path }) => toGlobArguments(pattern as string, givenText(path)),
  remark: "message",
  toData: (data) => {
    const { files } = data as GlobData;
    if (files.length === 0) return "No files found";
    const more = countRest(data as GlobData);
    const rest =
      more === 0 ? [] : [`[${more} more files are not shown. Narrow the pattern or the path.]`];
    return [...files, ...rest].join("\n");
  },
};

const grepParameters: ObjectSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "Regular expression in Rust syntax." },
    path: { type: "string", description: "File or directory to search. Default: the workspace." },
    glob: {
      type: "string",
      description: "Only search files that match this glob, such as `*.{ts,tsx}`.",
    },
    type: {
      type: "string",
      description: `Only search files of this type: ${[...globsOfTypes.keys()].join(", ")}.`,
    },
    output_mode: {
      enum: ["content", "files_with_matches", "count"],
      description:
        "content: matching lines. files_with_matches: paths. count: matching lines per file. Default: files_with_matches.",
    },
    "-A": {
      type: "number",
      description: "Number of lines after each match. Only with output_mode content.",
    },
    "-B": {
      type: "number",
      description: "Number of lines before each match. Only with output_mode content.",
    },
    "-C": {
      type: "number",
      description: "Number of lines before and after each match. Only with output_mode content.",
    },
    "-n": {
      type: "boolean",
      description: "Show line numbers. Only with output_mode content. Default: true.",
    },
    "-i": { type: "boolean", description: "Ignore case. Default: false." },
    head_limit: {
      type: "number",
      description: "Maximum number of entries. 0 means all. Default: 250.",
    },
    offset: { type: "number", description: "Number of entries to skip. Default: 0." },
  },
  required: ["pattern"],
};

const shared = {
  name: "Grep",
  tool: "grep",
  parameters: grepParameters,
  toArguments,
  remark: "note",
} as const;

/** `Grep`: finds lines by content, in three modes with different search limits. */
export const grep: readonly DialectAlias[] = [
  {
    ...shared,
    description: [
      "Searches file contents line by line with a regular expression.",
      "Returns the paths of matching files, or with output_mode their lines or counts.",
      "Leaves out hidden and binary files and files ignored by .gitignore. To find files by name use Glob.",
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
      "multiline is not supported: the search is line by line. Search for text on one line and show its surroundings with -A or -B.",
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
