import type { ResultEnvironment } from "../dialect.ts";
import { type Given, givenCount, givenText } from "../shared/given.ts";
import {
  type Around,
  type GrepData,
  type GrepLine,
  toGrepLines,
  toRelative,
} from "../shared/search.ts";
import { isOfType } from "./file-types.ts";

/** Lists the matching files. */
export function showFiles(data: unknown, _args: unknown, environment: ResultEnvironment): string {
  const { given, roots } = environment;
  const found = ofType(data as GrepData, given);
  const files = [...new Set(found.matches.map(({ path }) => toRelative(path, roots)))];
  if (files.length === 0) return "No files found";
  const head = `Found ${files.length} ${files.length === 1 ? "file" : "files"}`;
  return [head, ...takePage(files, found, given)].join("\n");
}

/** Lists the number of matching lines per file. */
export function showCounts(data: unknown, _args: unknown, environment: ResultEnvironment): string {
  const { given, roots } = environment;
  const found = ofType(data as GrepData, given);
  const counts = new Map<string, number>();
  for (const { path } of found.matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  if (counts.size === 0) return "No matches found";
  const lines = Array.from(counts, ([path, count]) => `${toRelative(path, roots)}:${count}`);
  const total = `${found.matches.length} matching lines in ${counts.size} files`;
  return [...takePage(lines, found, given), total].join("\n");
}

/** Lists the matching lines with context, in the format of ripgrep. */
export function showContent(
  data: unknown,
  around: Around,
  { given, roots }: ResultEnvironment,
): string {
  const found = ofType(data as GrepData, given);
  const hasNumbers = given["-n"] !== false;
  const isApart = around.before + around.after > 0;
  const lines: string[] = [];
  let last: GrepLine | undefined;
  for (const line of toGrepLines(found, around)) {
    const follows = last?.path === line.path && last.number + 1 === line.number;
    if (isApart && last !== undefined && !follows) lines.push("--");
    const sign = line.isMatch ? ":" : "-";
    const number = hasNumbers ? `${line.number}${sign}` : "";
    lines.push(`${toRelative(line.path, roots)}${sign}${number}${line.text}`);
    last = line;
  }
  return lines.length === 0 ? "No matches found" : takePage(lines, found, given).join("\n");
}

function ofType(data: GrepData, given: Given): GrepData {
  const type = givenText(given.type);
  // Without a glob, the type itself was the glob of the search.
  if (type === undefined || givenText(given.glob) === undefined) return data;
  return { ...data, matches: data.matches.filter(({ path }) => isOfType(path, type)) };
}

const defaultHead = 250;

function takePage(lines: readonly string[], { truncated }: GrepData, given: Given): string[] {
  const limit = givenCount(given.head_limit, 0) ?? defaultHead;
  const start = givenCount(given.offset, 0) ?? 0;
  const page = lines.slice(start, limit === 0 ? undefined : start + limit);
  const end = start + page.length;
  const rest = lines.length - end;
  return [
    ...page,
    ...(rest > 0 ? [`[${rest} more entries. Continue with offset ${end}.]`] : []),
    ...(truncated ? ["[The search was cut off. Narrow the pattern, path or glob.]"] : []),
  ];
}
