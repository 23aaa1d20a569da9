/** A line, cut for display. */
export interface ClippedLine {
  readonly text: string;
  /** Whether something was cut off. */
  readonly clipped?: true;
}

/** Returns the head of a line without its line break: at most `length` characters, none split. */
export function clipLine(line: string, length: number): ClippedLine {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= length) return { text };
  let end = 0;
  for (let left = length; left > 0 && end < text.length; left--) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end < text.length ? { text: text.slice(0, end), clipped: true } : { text };
}
