import { certainLength, type LineRange } from "./line-window.ts";

/** A whole text, numbered. */
export interface NumberedText {
  readonly content: string;
  readonly lines: number;
}

/**
 * Numbers a whole small text at once, twice as fast as a window takes it in. `undefined` wherever
 * the window has more to do than number: lines to leave out or to clip, carriage returns. `bytes` is
 * what the text takes in UTF-8, if that is known.
 */
export function numberLines(
  text: string,
  range: LineRange,
  bytes: number | undefined,
): NumberedText | undefined {
  if (range.first !== 1 || text === "" || text.includes("\r")) return undefined;
  const longestLine = certainLength(range.lineBytes);
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  let content = "1: ";
  let line = 1;
  let at = 0;
  for (let next = text.indexOf("\n"); next !== -1 && next < end; next = text.indexOf("\n", at)) {
    line++;
    if (next - at > longestLine || line > range.limit) return undefined;
    content += text.slice(at, next) + breakBefore(line);
    at = next + 1;
  }
  const mostBytes = (bytes ?? text.length * mostBytesOfUnit) + line * mostBytesOfNumber;
  if (end - at > longestLine || mostBytes > range.maxBytes) return undefined;
  return { content: content + text.slice(at, end), lines: line };
}

const mostBytesOfUnit = 3;
const mostBytesOfNumber = 8;

// The same few thousand come again with every file.
const breaks: string[] = [];
const mostBreaks = 2_000;

function breakBefore(line: number): string {
  if (line > mostBreaks) return `\n${line}: `;
  while (breaks.length <= line) breaks.push(`\n${breaks.length}: `);
  return breaks[line] as string;
}
