/** A line as `read` shows it. */
export interface NumberedLine {
  readonly number: string;
  readonly text: string;
}

/** Takes the numbers off the lines that `read` shows. */
export function parseNumberedLines(content: string): NumberedLine[] {
  if (content === "") return [];
  return content.split("\n").map((line) => {
    const end = line.indexOf(": ");
    return { number: line.slice(0, Math.max(0, end)), text: line.slice(end === -1 ? 0 : end + 2) };
  });
}
