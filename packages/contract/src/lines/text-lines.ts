/** Returns the start of the line at an offset. Lines end with `\n`. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns the end of the line at an offset, line break included. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}

/** Returns the end of the content of a line: before `\n` or `\r\n`. */
export function contentEnd(text: string, start: number, end: number): number {
  if (end === start || text.charCodeAt(end - 1) !== lineFeed) return end;
  return end - 2 >= start && text.charCodeAt(end - 2) === carriageReturn ? end - 2 : end - 1;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Counts the line breaks in a part of a text. */
export function countBreaks(text: string, start = 0, end: number = text.length): number {
  let breaks = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    breaks++;
  }
  return breaks;
}

/** Returns the number of the line at an offset, from 1. */
export function lineNumber(text: string, offset: number): number {
  return countBreaks(text, 0, offset) + 1;
}

/** Splits a text into lines with their line breaks; the last one may have none. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at);
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}
