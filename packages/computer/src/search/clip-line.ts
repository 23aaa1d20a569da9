/** A line as it is shown. */
export interface ClippedLine {
  readonly text: string;
  /** More of it was clipped off. */
  readonly clipped?: true;
}

/** Takes the head of a line, without its line break: so many characters, none of them cut. */
export function clipLine(line: string, length: number): ClippedLine {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= length) return { text };
  let end = 0;
  for (let left = length; left > 0 && end < text.length; left--) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end < text.length ? { text: text.slice(0, end), clipped: true } : { text };
}
