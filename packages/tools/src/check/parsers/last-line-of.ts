// No section is longer that is worth reading, and endless ones would take endless time.
const longestSection = 500;

/** The last line of the section that starts at a line: the one before the next that begins another. */
export function lastLineOf(
  lines: readonly string[],
  from: number,
  beginsAnother: (line: string) => boolean,
): number {
  const end = Math.min(lines.length, from + longestSection);
  for (let at = from + 1; at < end; at++) if (beginsAnother(lines[at] ?? "")) return at - 1;
  return end - 1;
}
