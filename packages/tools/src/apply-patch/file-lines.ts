import type { Splice } from "../text/text-document.ts";

/** A text as lines: what each says, how each ends, and where it begins. */
export interface FileLines {
  readonly texts: readonly string[];
  /** `\n`, `\r\n` or `\r`; the last one's may be empty. */
  readonly endings: readonly string[];
  /** One more than there are lines: the last is the length of the text. */
  readonly starts: readonly number[];
}

/** Takes a text apart at `\n`, or, where it has none and that is wanted, at `\r`. */
export function toFileLines(text: string, mayBreakAtReturn: boolean): FileLines {
  const texts: string[] = [];
  const endings: string[] = [];
  const starts: number[] = [];
  const mark = mayBreakAtReturn && !text.includes("\n") ? "\r" : "\n";
  let at = 0;
  while (at < text.length) {
    starts.push(at);
    const found = text.indexOf(mark, at);
    if (found === -1) {
      texts.push(text.slice(at));
      endings.push("");
      at = text.length;
    } else {
      const hasReturn = mark === "\n" && found > at && text[found - 1] === "\r";
      texts.push(text.slice(at, hasReturn ? found - 1 : found));
      endings.push(hasReturn ? "\r\n" : mark);
      at = found + 1;
    }
  }
  starts.push(text.length);
  return { texts, endings, starts };
}

/** Replaces whole lines, from one up to another. */
export function spliceLines(
  { starts }: FileLines,
  range: { readonly from: number; readonly to: number },
  text: string,
): Splice {
  return { start: starts[range.from] as number, end: starts[range.to] as number, text };
}
