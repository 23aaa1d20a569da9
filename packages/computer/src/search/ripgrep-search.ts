import { type FoundText, type TextMatch, type TextQuery, ToolError } from "@haft/contract";
import { enterTimeSlice, escapeGlob, isInside, isTimeSliceSpent } from "@haft/contract/internal";
import type { DiskCall } from "../disk/disk-call.ts";
import type { Pin } from "../disk/pin.ts";
import { childOf, nameOf, parentOf } from "../paths/path-parts.ts";
import { confirmLines, shownBytes } from "./confirm-lines.ts";
import { readDirectoryRules, ruleNames } from "./directory-rules.ts";
import { isInRepository } from "./is-in-repository.ts";
import { listWithoutRipgrep } from "./list-without-ripgrep.ts";
import { OuterRules, readIgnoreEnvironment, type SearchStart } from "./outer-rules.ts";
import { type PrintedLine, RipgrepOutput } from "./ripgrep-output.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import { compileTextFilter, type TextFilter } from "./text-filter.ts";

/** Searches a directory with ripgrep. */
export async function searchTree(
  query: TextQuery,
  directory: Pin,
  call: DiskCall,
): Promise<FoundText> {
  const filter = compileTextFilter(query.glob, query.path);
  const root = rootOf(directory.landing, call.roots);
  const args = [
    ...(isInRepository(root) ? [] : ["--no-require-git"]),
    ...(filter.names ?? []).map((glob) => `--type-add=haft:${glob}`),
    ...(filter.names === undefined ? [] : ["--type=haft"]),
    ...(filter.seeksHidden ? ["--hidden"] : []),
    ...(directory.landing === "/" ? ["--glob=!/proc", "--glob=!/sys", "--glob=!/dev"] : []),
    // Git's own files are left out unless requested.
    ...(filter.seeksHidden && !/\.git(?:\/|$)/u.test(query.glob ?? "") ? ["--glob=!.git"] : []),
  ];
  const ended = new AbortController();
  const signal = AbortSignal.any([call.scope.signal, ended.signal]);
  const { seeksHidden } = filter;
  const found = search({ query, args, filter, directory, signal }, call);
  const listed = listWithoutRipgrep({ directory: directory.landing, seeksHidden, signal }, call);
  let first: FoundText | ReadonlySet<string>;
  try {
    first = await Promise.race([found, listed.catch(() => found)]);
  } finally {
    ended.abort();
  }
  if ("matches" in first) return first;
  const files = first;
  const listedOnly = { ...filter, fits: (path: string) => files.has(path) && filter.fits(path) };
  return search(
    {
      query,
      args: [...args, "--no-ignore"],
      filter: listedOnly,
      directory,
      signal: call.scope.signal,
    },
    call,
  );
}

/**
 * Searches one file with ripgrep, even if ignored or hidden. It is found through its directory: a file
 * given by name would be searched to its end even if it is binary.
 */
export async function searchFile(
  query: TextQuery,
  path: string,
  call: DiskCall,
): Promise<FoundText> {
  const directory = call.pinning.pin(parentOf(path));
  try {
    const glob = escapeGlob(nameOf(path)).replaceAll(/\s/gu, "[$&]");
    const args = ["--no-ignore", "--hidden", "--max-depth=1", `--glob=/${glob}`];
    const filter = compileTextFilter(undefined, "/");
    return await search({ query, args, filter, directory, signal: call.scope.signal }, call);
  } finally {
    directory.close();
  }
}

interface Search {
  readonly query: TextQuery;
  readonly args: readonly string[];
  readonly filter: TextFilter;
  readonly directory: Pin;
  readonly signal: AbortSignal;
}

async function search(
  { query, args, filter, directory, signal }: Search,
  call: DiskCall,
): Promise<FoundText> {
  const { limit } = query;
  const start = directory.landing;
  const files = new Map<
    Buffer,
    { readonly name: string; readonly lines: PrintedLine[] } | undefined
  >();
  let matches = 0;
  const output = new RipgrepOutput((line) => {
    if (!files.has(line.path)) {
      const name = line.path.toString("utf8", "./".length);
      files.set(
        line.path,
        mayShow(name, { filter, start }, call) ? { name, lines: [] } : undefined,
      );
    }
    const file = files.get(line.path);
    if (file === undefined || matches > limit) return;
    if (line.isMatch) matches++;
    if (matches <= limit) file.lines.push(line);
  });
  const { complaint } = await runRipgrep({
    args: [...toArguments(query), ...args, "--", "./"],
    directory: directory.reach,
    signal,
    onOutput: (chunk) => {
      output.add(chunk);
      return matches > limit ? "enough" : "more";
    },
  });
  if (complaint !== "") throw notUnderstood(query, complaint);
  const found = [...files.values()].filter((file) => file !== undefined);
  const printed = found
    .map(({ name, lines }) => ({ path: childOf(start, name), lines }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const confirmed: TextMatch[] = [];
  for (const { path, lines } of printed) {
    if (isTimeSliceSpent()) await enterTimeSlice();
    signal.throwIfAborted();
    for (const line of confirmLines({ path: Buffer.from(path), lines }, query.lineLength, call)) {
      confirmed.push(toMatch(path, line));
    }
  }
  return { matches: confirmed, isCut: matches > limit };
}

function rootOf(directory: string, roots: readonly string[]): string {
  return roots.find((root) => isInside(root, directory)) ?? directory;
}

function mayShow(
  name: string,
  { filter, start }: { readonly filter: TextFilter; readonly start: string },
  { policy, scope, roots }: DiskCall,
): boolean {
  const root = rootOf(start, roots);
  const path = childOf(start, name);
  if (!filter.fits(name)) return false;
  if (policy.isSecret(path) || !policy.mayLook(path) || scope.isDenied(path, "read")) return false;
  // With globs for names, ripgrep no longer leaves out hidden files.
  return (
    filter.names === undefined ||
    !nameOf(name).startsWith(".") ||
    isKept(path, { directory: start, root })
  );
}

function toArguments(query: TextQuery): readonly string[] {
  const { pattern, literal, caseSensitive, context = 0, limit, limitPerFile } = query;
  return [
    ...["--color=never", "--no-heading", "--with-filename", "--null", "--line-number"],
    ...["--byte-offset", "--no-messages", "--no-ignore-messages"],
    ...[`--max-columns=${shownBytes}`, "--max-columns-preview"],
    ...(context > 0 ? [`--context=${context}`, "--no-context-separator"] : []),
    `--max-count=${Math.min(limitPerFile ?? limit + 1, limit + 1, Number.MAX_SAFE_INTEGER)}`,
    caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(literal ? ["--fixed-strings"] : []),
    `--regexp=${pattern}`,
  ];
}

function toMatch(
  path: string,
  { line, isMatch, text, clipped }: ReturnType<typeof confirmLines>[number],
): TextMatch {
  return { path, line, text, ...(clipped && { clipped }), ...(!isMatch && { context: true }) };
}

function notUnderstood({ pattern }: TextQuery, complaint: string): ToolError {
  const reason = /^error: (.*)$/mu.exec(complaint)?.[1] ?? complaint.replace(/^rg: /u, "");
  const [sentence = ""] = reason.split("\n");
  return new ToolError(
    "invalid-arguments",
    `ripgrep does not understand the pattern ${JSON.stringify(pattern)}: ${sentence}. Correct it, or search for the literal text.`,
    { details: { reason: "bad-pattern" } },
  );
}

/** Whether an ignore file re-includes a hidden file, in a search that starts in a directory. */
function isKept(path: string, start: SearchStart): boolean {
  const directory = parentOf(path);
  const outer = new OuterRules(directory, readIgnoreEnvironment(), start).scope;
  const { rules } = readDirectoryRules(directory, ruleNames, outer);
  return outer.enter(directory, rules).judgeIn(directory)?.(nameOf(path), false) === "keep";
}
