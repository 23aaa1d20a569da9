import type { ObjectSchema } from "@haft/contract";
import type { DialectAlias, ResultEnvironment } from "../dialect.ts";
import { type Given, givenCount, givenText, leaveOut } from "../shared/given.ts";
import {
  type Around,
  countRest,
  type GlobData,
  type GrepData,
  toContext,
  toGlobArguments,
  toGrepLines,
  toRelative,
} from "../shared/search.ts";

/** `glob`: finds files by name. The native tool has the same name but other parameters. */
export const glob: DialectAlias = {
  name: "glob",
  tool: "glob",
  settings: { files: 2_000 },
  description: [
    "Finds files by a glob pattern such as `src/**/*.{ts,tsx}` and returns their absolute paths, sorted.",
    "Leaves out hidden files and files ignored by .gitignore. To search file contents use grep_search.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, description: "Glob pattern for the path." },
      dir_path: {
        type: "string",
        description: "Directory to search. Default: the workspace root.",
      },
    },
    required: ["pattern"],
  },
  toArguments: ({ pattern, dir_path, path }) =>
    toGlobArguments(pattern as string, givenText(dir_path) ?? givenText(path)),
  remark: "message",
  toData: (data, _args, { given }) => {
    const { files } = data as GlobData;
    const pattern = JSON.stringify(given.pattern);
    if (files.length === 0) return `No files match ${pattern}.`;
    const more = countRest(data as GlobData);
    return [
      `Found ${files.length} ${files.length === 1 ? "file" : "files"} for ${pattern}:`,
      ...files,
      ...(more === 0
        ? []
        : [`[${more} more files are not shown. Narrow the pattern or dir_path.]`]),
    ].join("\n");
  },
};

const grepParameters: ObjectSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "Regular expression in Rust syntax." },
    dir_path: {
      type: "string",
      description: "File or directory to search. Default: the workspace.",
    },
    include_pattern: {
      type: "string",
      description: "Only search files that match this glob, such as `*.ts`.",
    },
    case_sensitive: { type: "boolean", description: "Match case. Default: false." },
    fixed_strings: {
      type: "boolean",
      description: "Search for the pattern as literal text. Default: false.",
    },
    context: {
      type: "number",
      description: "Number of lines before and after each match. Default: 0.",
    },
    before: { type: "number", description: "Number of lines before each match." },
    after: { type: "number", description: "Number of lines after each match." },
    names_only: {
      type: "boolean",
      description: "Return only the paths of matching files. Default: false.",
    },
    max_matches_per_file: {
      type: "number",
      description: "Maximum number of matches per file. Default: no limit.",
    },
    total_max_matches: { type: "number", description: "Maximum number of matches. Default: 100." },
  },
  required: ["pattern"],
};

const lines: DialectAlias = {
  name: "grep_search",
  tool: "grep",
  description: [
    "Searches file contents line by line with a regular expression. Ignores case unless case_sensitive is set.",
    "Leaves out hidden and binary files and files ignored by .gitignore. To find files by name use glob.",
  ].join(" "),
  parameters: grepParameters,
  settings: { matches: 2_000, line_length: 500 },
  suits: ({ names_only: names }) => names !== true,
  toArguments,
  remark: "note",
  toData: showLines,
};

const names: DialectAlias = {
  ...lines,
  hidden: true,
  settings: { matches: 10_000, matches_per_file: 1, line_length: 40 },
  suits: (given) => !lines.suits?.(given),
  toData: showNames,
};

/** `grep_search` and its older names: finds lines by content, or the files that contain them. */
export const grepSearch: readonly DialectAlias[] = [
  lines,
  names,
  ...["search_file_content", "search"].flatMap((name) => [
    { ...lines, name, hidden: true },
    { ...names, name },
  ]),
];

function toArguments(given: Given): unknown {
  return leaveOut({
    pattern: given.pattern,
    case_sensitive: given.case_sensitive === true,
    literal: given.fixed_strings === true ? true : undefined,
    path: givenText(given.dir_path) ?? givenText(given.path),
    glob: givenText(given.include_pattern) ?? givenText(given.include),
    ...(given.names_only === true ? {} : toContext(toAround(given))),
  });
}

function toAround(given: Given): Around {
  const both = givenCount(given.context, 0) ?? 0;
  return {
    before: givenCount(given.before, 0) ?? both,
    after: givenCount(given.after, 0) ?? both,
  };
}

function showLines(data: unknown, _args: unknown, environment: ResultEnvironment): string {
  const { given, roots } = environment;
  const found = data as GrepData;
  const { matches, left } = choose(found, given);
  if (matches.length === 0) return `No lines match ${JSON.stringify(given.pattern)}.`;
  const shown: string[] = [];
  let file: string | undefined;
  for (const { path, number, text, isMatch } of toGrepLines({ matches }, toAround(given))) {
    if (path !== file) shown.push("---", `File: ${toRelative(path, roots)}`);
    file = path;
    shown.push(`L${number}${isMatch ? ":" : "-"} ${text}`);
  }
  const count = matches.length === 1 ? "1 match" : `${matches.length} matches`;
  return [
    `Found ${count} for ${JSON.stringify(given.pattern)}:`,
    ...shown,
    "---",
    ...describeRest(left, found, given),
  ].join("\n");
}

function showNames(data: unknown, _args: unknown, environment: ResultEnvironment): string {
  const { given, roots } = environment;
  const { matches, truncated } = data as GrepData;
  const files = [...new Set(matches.map(({ path }) => toRelative(path, roots)))];
  if (files.length === 0) return `No lines match ${JSON.stringify(given.pattern)}.`;
  const maxFiles = givenCount(given.total_max_matches, 1) ?? files.length;
  const left = Math.max(0, files.length - maxFiles);
  return [
    `Found ${files.length} ${files.length === 1 ? "file" : "files"} for ${JSON.stringify(given.pattern)}:`,
    ...files.slice(0, maxFiles),
    ...describeRest(left, { matches, ...(truncated && { truncated }) }, given),
  ].join("\n");
}

const defaultMatches = 100;

function choose({ matches }: GrepData, given: Given): Pick<GrepData, "matches"> & { left: number } {
  const perFile = givenCount(given.max_matches_per_file, 1) ?? Number.POSITIVE_INFINITY;
  const maxMatches = givenCount(given.total_max_matches, 1) ?? defaultMatches;
  const counts = new Map<string, number>();
  const kept = matches.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= perFile;
  });
  return {
    matches: kept.slice(0, maxMatches),
    left: matches.length - Math.min(maxMatches, kept.length),
  };
}

function describeRest(left: number, { truncated }: GrepData, given: Given): string[] {
  return [
    ...(left > 0 ? [`[${truncated ? "At least " : ""}${left} more are not shown.]`] : []),
    ...(left === 0 && truncated
      ? ["[The search was cut off. Narrow the pattern or dir_path.]"]
      : []),
    ...(given.exclude_pattern === undefined ? [] : ["[exclude_pattern was not applied.]"]),
  ];
}
