/** Formats text as a code block. Most clients render Markdown, including images and links. */
export function toCodeBlock(text: string): string {
  const runs = text.match(/`+/gu) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** Returns a line unchanged if it contains no Markdown, otherwise as a code block. */
export function quoteLine(line: string): string {
  return /[^\p{L}\p{N} ,.:;_\\{}›…-]|:\/\//u.test(line) ? toCodeBlock(line) : line;
}
