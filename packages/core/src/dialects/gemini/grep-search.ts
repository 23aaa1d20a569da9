import type { ObjectSchema } from "@haft/contract";
import type { DialectAlias, ResultEnvironment } from "../dialect.ts";
import { type Given, givenCount, givenText, leaveOut } from "../shared/given.ts";
import { type Around, type GrepData, toContext, toGrepLines } from "../shared/grep-lines.ts";
import { toRelative } from "../shared/to-relative.ts";

const parameters: ObjectSchema = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "A regular expression in Rust's syntax." },
    dir_path: { type: "string", description: "A file or directory; the workspace if left out." },
    include_pattern: { type: "string", description: "Only files that fit it, such as `*.ts`." },
    case_sensitive: { type: "boolean", description: "Tell capital from small letters." },
    fixed_strings: { type: "boolean", description: "Take the pattern as plain text." },
    context: { type: "number", description: "Lines to show on both sides of each match." },
    before: { type: "number", description: "Lines to show before each match." },
    after: { type: "number", description: "Lines to show after each match." },
    names_only: { type: "boolean", description: "Give the paths of files that match only." },
    max_matches_per_file: { type: "number", description: "How many matches of one file." },
    total_max_matches: { type: "number", description: "How many matches; 100 unless said." },
  },
  required: ["pattern"],
};

const lines: DialectAlias = {
  name: "grep_search",
  tool: "grep",
  description: [
    "Searches the contents of files, line by line, with a regular expression; case does not count unless case_sensitive is set.",
    "Leaves out what .gitignore names, hidden and binary files. To find files by name use glob.",
  ].join(" "),
  parameters,
  settings: { matches: 2_000, line_length: 500 },
  suits: ({ names_only: names }) => names !== true,
  toArguments,
  toData: showLines,
};

const names: DialectAlias = {
  ...lines,
  hidden: true,
  settings: { matches: 10_000, matches_per_file: 1, line_length: 40 },
  suits: (given) => !lines.suits?.(given),
  toData: showNames,
};

/** `grep_search` and what it was called before: lines by content, or the files they are in. */
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
  const most = givenCount(given.total_max_matches, 1) ?? files.length;
  const left = Math.max(0, files.length - most);
  return [
    `Found ${files.length} ${files.length === 1 ? "file" : "files"} for ${JSON.stringify(given.pattern)}:`,
    ...files.slice(0, most),
    ...describeRest(left, { matches, ...(truncated && { truncated }) }, given),
  ].join("\n");
}

const defaultMatches = 100;

function choose({ matches }: GrepData, given: Given): Pick<GrepData, "matches"> & { left: number } {
  const perFile = givenCount(given.max_matches_per_file, 1) ?? Number.POSITIVE_INFINITY;
  const most = givenCount(given.total_max_matches, 1) ?? defaultMatches;
  const counts = new Map<string, number>();
  const kept = matches.filter(({ path }) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= perFile;
  });
  return { matches: kept.slice(0, most), left: matches.length - Math.min(most, kept.length) };
}

function describeRest(left: number, { truncated }: GrepData, given: Given): string[] {
  return [
    ...(left > 0 ? [`[${left}${truncated ? " or more" : ""} further are not shown.]`] : []),
    ...(left === 0 && truncated ? ["[There is more: narrow the pattern or dir_path.]"] : []),
    ...(given.exclude_pattern === undefined ? [] : ["[exclude_pattern was not applied.]"]),
  ];
}
