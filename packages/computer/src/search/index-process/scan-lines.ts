import type { Haystack } from "../text-haystack.ts";

/** A line of a result. */
export interface ScannedLine {
  /** Counted from 1. */
  readonly number: number;
  readonly start: number;
  /** Offset of its line break, or of the end. */
  readonly end: number;
  readonly isMatch: boolean;
}

/** Limits of a scan. */
export interface ScanLimits {
  /** Number of lines before and after each match. */
  readonly context: number;
  /** Maximum number of matching lines. */
  readonly maxMatches: number;
}

/** Finds the matching lines and their context, in order. */
export function scanLines(haystack: Haystack, limits: ScanLimits): ScannedLine[] {
  const scan = new LineScan(haystack, limits.context);
  let matches = 0;
  let from = 0;
  while (matches < limits.maxMatches && from < haystack.length) {
    const place = haystack.findMatch(from);
    if (place === -1 || isBehindLines(place, haystack)) break;
    from = scan.addMatch(place);
    matches++;
  }
  scan.addAfter(Number.POSITIVE_INFINITY);
  return scan.lines;
}

// A match after the last line break is not in a line.
function isBehindLines(place: number, haystack: Haystack): boolean {
  return place === haystack.length && haystack.findBreakBefore(place) === place - 1;
}

class LineScan {
  readonly lines: ScannedLine[] = [];
  readonly #haystack: Haystack;
  readonly #context: number;
  /** The line that was counted last, and where it starts. */
  #number = 1;
  #start = 0;

  constructor(haystack: Haystack, context: number) {
    this.#haystack = haystack;
    this.#context = context;
  }

  /** Adds the line at an offset, and returns where the next one starts. */
  addMatch(place: number): number {
    const start = this.#haystack.findBreakBefore(place) + 1;
    this.addAfter(start);
    this.#countTo(start);
    this.#addBefore();
    const line = this.#lineAt(this.#number, start, true);
    this.lines.push(line);
    return line.end + 1;
  }

  /** Adds the context lines after the last match that start before an offset. */
  addAfter(limit: number): void {
    let last = this.lines.at(-1);
    for (let left = this.#context; left > 0 && last !== undefined; left--) {
      const start = last.end + 1;
      if (start >= limit || start >= this.#haystack.length) return;
      last = this.#lineAt(last.number + 1, start, false);
      this.lines.push(last);
    }
  }

  #addBefore(): void {
    const after = this.lines.at(-1)?.end ?? -1;
    const lines: ScannedLine[] = [];
    let start = this.#start;
    for (let back = 1; back <= this.#context && start > after + 1; back++) {
      const end = start - 1;
      start = this.#haystack.findBreakBefore(end) + 1;
      lines.push({ number: this.#number - back, start, end, isMatch: false });
    }
    this.lines.push(...lines.reverse());
  }

  #countTo(start: number): void {
    while (this.#start < start) {
      this.#start = this.#haystack.findBreak(this.#start) + 1;
      this.#number++;
    }
  }

  #lineAt(number: number, start: number, isMatch: boolean): ScannedLine {
    const found = this.#haystack.findBreak(start);
    const end = found === -1 ? this.#haystack.length : found;
    return { number, start, end, isMatch };
  }
}
