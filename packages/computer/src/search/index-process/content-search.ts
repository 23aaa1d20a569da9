import type { FoundText, TextMatch, TextQuery } from "@haft/contract";
import { clipLine } from "../clip-line.ts";
import type { Haystack } from "../text-haystack.ts";
import { openHaystack } from "./haystack.ts";
import { type OpenedFile, openFile, readContent } from "./read-content.ts";
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

  /** No other file would change the result. */
  get isOver(): boolean {
    return this.#isUnclear || this.#found > this.#query.limit;
  }

  /** Whether the limit is likely to be reached, going by the first of so many files. */
  expectsMore(visited: number, files: number): boolean {
    return this.#found * files > this.#query.limit * visited;
  }

  /** What was found; `undefined` if it takes ripgrep to search one of the files. */
  get result(): FoundText | undefined {
    if (this.#isUnclear) return undefined;
    const isCut = this.#found > this.#query.limit;
    const matches = isCut ? this.#cut() : this.#matches;
    return { matches: matches.sort(byPath), isCut };
  }

  /** Begins anew. */
  reset(): void {
    this.#matches = [];
    this.#found = 0;
    this.#isUnclear = false;
  }

  /** Leaves it to ripgrep. */
  giveUp(): void {
    this.#isUnclear = true;
  }

  /** Looks into a file that may hold what is sought. The path is relative to the root. */
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
    const most = Math.min(limitPerFile, limit + 1 - this.#found);
    const lines = scanLines(haystack, { context, most });
    const path = this.#root === "/" ? `/${relative}` : `${this.#root}/${relative}`;
    // Whoever put a link in the place of a directory above would show us files from elsewhere.
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

  // Takes off the one match too many, and what was near it only.
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

// Lines of one file stay as they are: sorting is stable.
function byPath(a: TextMatch, b: TextMatch): number {
  if (a.path === b.path) return 0;
  return a.path < b.path ? -1 : 1;
}
