// Longer sections are not worth reading, and a bound keeps the time linear.
const maxSectionLength = 500;

/** Returns the last line of the section that starts at `from`: the one before the next section. */
export function lastLineOf(
  lines: readonly string[],
  from: number,
  beginsAnother: (line: string) => boolean,
): number {
  const end = Math.min(lines.length, from + maxSectionLength);
  for (let at = from + 1; at < end; at++) if (beginsAnother(lines[at] ?? "")) return at - 1;
  return end - 1;
}

/** Returns the first line of an error's text, and the next one too if the first ends with a colon. */
export function errorText(lines: readonly string[]): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== "");
  const [first = "", second] = said;
  return first.endsWith(":") && second !== undefined ? `${first} ${second}` : first;
}
