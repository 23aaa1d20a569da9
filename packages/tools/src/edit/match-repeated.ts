import { contentEnd, lineEnd } from "@haft/contract/internal";
import type { TextRange, WantedLines } from "./line-rule.ts";

/**
 * Finds the same as `matchLines` for three lines or more, in a time that does not depend on how often
 * lines repeat. It is the Knuth-Morris-Pratt algorithm on lines.
 */
export function matchRepeated(text: string, wanted: WantedLines): TextRange[] {
  const { folded, rule, endsWithBreak } = wanted;
  const from = rule.isFirstWhole ? 0 : 1;
  const to = folded.length - (endsWithBreak || !rule.isLastWhole ? 1 : 0);
  const inner = folded.slice(from, to);
  const fallbacks = findFallbacks(inner);
  const lines = new TextLines(text, rule.fold);
  const places: TextRange[] = [];
  let matched = 0;
  for (let line = from; line < lines.count; line++) {
    const content = lines.fold(line);
    while (matched > 0 && content !== inner[matched]) matched = fallbacks[matched - 1] as number;
    if (content === inner[matched]) matched++;
    if (matched < inner.length) continue;
    const place = toPlace(lines, line + 1 - inner.length - from, wanted);
    if (place !== undefined) places.push(place);
    matched = fallbacks[matched - 1] as number;
  }
  return places;
}

/** Returns for every prefix the length of its longest border. */
function findFallbacks(lines: readonly string[]): number[] {
  const fallbacks = [0];
  let matched = 0;
  for (let at = 1; at < lines.length; at++) {
    while (matched > 0 && lines[at] !== lines[matched]) matched = fallbacks[matched - 1] as number;
    if (lines[at] === lines[matched]) matched++;
    fallbacks.push(matched);
  }
  return fallbacks;
}

/** Returns the match that begins in this line, if its first and last line match, too. */
function toPlace(lines: TextLines, first: number, wanted: WantedLines): TextRange | undefined {
  const { folded, rule, endsWithBreak } = wanted;
  const last = first + folded.length - 1;
  if (last >= lines.count) return undefined;
  let start = lines.start(first);
  if (!rule.isFirstWhole) {
    const [content, line] = [lines.fold(first), folded[0] as string];
    if (!content.endsWith(line)) return undefined;
    start = line === "" ? lines.stop(first) : start + content.length - line.length;
  }
  if (endsWithBreak) return { start, end: lines.start(last) };
  if (rule.isLastWhole) return { start, end: lines.stop(last) };
  const line = folded.at(-1) as string;
  if (!lines.fold(last).startsWith(line)) return undefined;
  return { start, end: lines.start(last) + line.length };
}

class TextLines {
  readonly #text: string;
  readonly #fold: (line: string) => string;
  readonly #starts: number[] = [0];

  constructor(text: string, fold: (line: string) => string) {
    this.#text = text;
    this.#fold = fold;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  start(line: number): number {
    return this.#starts[line] as number;
  }

  /** Returns the end of the content of a line. */
  stop(line: number): number {
    const start = this.start(line);
    return contentEnd(this.#text, start, lineEnd(this.#text, start));
  }

  fold(line: number): string {
    return this.#fold(this.#text.slice(this.start(line), this.stop(line)));
  }
}
