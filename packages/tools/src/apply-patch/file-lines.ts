import type { Splice } from "../text/text-document.ts";

/** The lines of a text: their content, endings and offsets. */
export interface FileLines {
  readonly texts: readonly string[];
  /** `\n`, `\r\n` or `\r`; that of the last line may be empty. */
  readonly endings: readonly string[];
  /** The offset of each line, and the length of the text as the last entry. */
  readonly starts: readonly number[];
  /** The ending of written lines, if the file mixes all three kinds. */
  readonly commonEnding?: string;
}

/** Splits a text at `\n`, or at `\r` if that is allowed and there is no `\n`. */
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

/** Splits a text at every kind of line ending, also at a carriage return between others. */
export function toMixedLines(text: string): FileLines {
  const found = [...text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/gu)].filter(([all]) => all !== "");
  const endings = found.map(([, , ending]) => ending as string);
  const count = (kind: string): number => endings.filter((ending) => ending === kind).length;
  const [commonEnding] = ["\n", "\r\n", "\r"].toSorted((one, other) => count(other) - count(one));
  return {
    texts: found.map(([, content]) => content as string),
    endings,
    starts: [...found.map(({ index }) => index), text.length],
    commonEnding: commonEnding as string,
  };
}

/** Replaces whole lines of a text. */
export function spliceLines(
  { starts }: FileLines,
  range: { readonly from: number; readonly to: number },
  text: string,
): Splice {
  return { start: starts[range.from] as number, end: starts[range.to] as number, text };
}
