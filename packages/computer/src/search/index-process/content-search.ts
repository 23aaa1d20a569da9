import type { FoundText, TextMatch, TextQuery } from "@haft/contract";
import { clipLine } from "../clip-line.ts";
import type { TranslatedRegex } from "../regex/translate-regex.ts";
import { createTextHaystack, type Haystack } from "../text-haystack.ts";
import { type FileContent, type OpenedFile, openFile, readContent } from "./read-content.ts";
import { type ScannedLine, scanLines } from "./scan-lines.ts";
import type { SoughtText } from "./sought-text.ts";

/** Collects the matches of one query, file by file. */
export class ContentSearch {
  readonly sought: SoughtText;
  readonly #root: string;
  readonly #query: TextQuery;
  #matches: TextMatch[] = [];
  #found = 0;
  #isUnclear = false;

  constructor(root: string, query: TextQuery, sought: SoughtText) {
    this.#root = root;
    this.#query = query;
    this.sought = sought;
  }

  /** Whether further files can't change the result. */
  get isOver(): boolean {
    return this.#isUnclear || this.#found > this.#query.limit;
  }

  /** Whether the limit is likely to be reached, judging by the first files. */
  expectsMore(visited: number, files: number): boolean {
    return this.#found * files > this.#query.limit * visited;
  }

  /** The matches; `undefined` if one of the files needs ripgrep. */
  get result(): FoundText | undefined {
    if (this.#isUnclear) return undefined;
    const isCut = this.#found > this.#query.limit;
    const matches = isCut ? this.#cut() : this.#matches;
    return { matches: matches.sort(byPath), isCut };
  }

  /** Starts over. */
  reset(): void {
    this.#matches = [];
    this.#found = 0;
    this.#isUnclear = false;
  }

  /** Leaves the query to ripgrep. */
  giveUp(): void {
    this.#isUnclear = true;
  }

  /** Searches a file that may match. The path is relative to the root. */
  look(path: string): void {
    openFile(path, (file) => this.#read(file, path));
  }

  #read(file: OpenedFile, relative: string): void {
    const content = readContent(file);
    if (content.kind === "silent") return;
    const haystack = content.kind === "text" ? openHaystack(content, this.sought) : undefined;
    if (haystack === undefined) {
      this.giveUp();
      return;
    }
    const { context = 0, limit, limitPerFile = Number.POSITIVE_INFINITY } = this.#query;
    const maxMatches = Math.min(limitPerFile, limit + 1 - this.#found);
    const lines = scanLines(haystack, { context, maxMatches });
    const path = this.#root === "/" ? `/${relative}` : `${this.#root}/${relative}`;
    // A link in place of a parent directory would show us files from elsewhere.
    if (lines.length === 0 || !file.isAt(path)) return;
    for (const line of lines) {
      if (line.isMatch) this.#found++;
      this.#matches.push(this.#toMatch(line, path, haystack));
    }
  }

  #toMatch({ number, start, end, isMatch }: ScannedLine, path: string, lines: Haystack): TextMatch {
    return {
      path,
      line: number,
      ...clipLine(lines.slice(start, end), this.#query.lineLength),
      ...(!isMatch && { context: true as const }),
    };
  }

  // Removes the one match too many, and its context lines.
  #cut(): TextMatch[] {
    const { context = 0 } = this.#query;
    const extra = this.#matches.findLastIndex((match) => !match.context);
    const kept = this.#matches.slice(0, extra);
    const lastIndex = kept.findLastIndex((match) => !match.context);
    const last = kept[lastIndex];
    return kept.filter(
      ({ path, line }, index) =>
        index <= lastIndex || (path === last?.path && line <= last.line + context),
    );
  }
}

// Lines of one file keep their order: sorting is stable.
function byPath(a: TextMatch, b: TextMatch): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}

/** Prepares a file for a search; `undefined` if only ripgrep can search it correctly. */
function openHaystack(
  { bytes, isValid }: Extract<FileContent, { kind: "text" }>,
  sought: TranslatedRegex,
): Haystack | undefined {
  if (sought.text !== undefined && sought.text !== "") return createBytes(bytes, sought.text);
  if (!isValid && !sought.standsReplacement) return undefined;
  return createTextHaystack(bytes.toString("utf8"), sought.regex);
}

const lineBreak = 0x0a;

function createBytes(bytes: Buffer, text: string): Haystack {
  const needle = Buffer.from(text);
  return {
    length: bytes.length,
    findMatch: (from) => bytes.indexOf(needle, from),
    findBreak: (from) => bytes.indexOf(lineBreak, from),
    // From the end if it is negative.
    findBreakBefore: (place) => (place === 0 ? -1 : bytes.lastIndexOf(lineBreak, place - 1)),
    slice: (start, end) => bytes.toString("utf8", start, end),
  };
}
