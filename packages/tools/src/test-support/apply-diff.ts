/** Applies a unified diff strictly: every line must be where the diff says. */
export function applyDiff(before: string, diff: string): string {
  if (diff === "") return before;
  const old = splitKeeping(before);
  const lines = splitKeeping(diff).slice(2);
  let after = "";
  let at = 0;
  let newLine = 0;
  for (let index = 0; index < lines.length; ) {
    const header = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$/u.exec(lines[index] as string);
    if (header === null) throw new Error(`No hunk: ${lines[index]}`);
    const [oldStart, oldCount, newStart, newCount] = header.slice(1).map(Number) as Counts;
    const first = oldCount === 0 ? oldStart : oldStart - 1;
    newLine += first - at;
    for (; at < first; at++) after += old[at];
    if (newLine !== (newCount === 0 ? newStart : newStart - 1)) throw new Error("Wrong new line");
    let [olds, news] = [0, 0];
    index++;
    while (olds < oldCount || news < newCount) {
      const isUnended = lines[index + 1]?.startsWith("\\") === true;
      const line = lines[index] as string;
      const text = isUnended ? line.slice(1, -1) : line.slice(1);
      if (line[0] !== "+" && old[at + olds] !== text) throw new Error(`Not there: ${line}`);
      if (line[0] !== "+") olds++;
      if (line[0] !== "-") news++;
      if (line[0] !== "-") after += text;
      index += isUnended ? 2 : 1;
    }
    at += olds;
    newLine += news;
  }
  for (; at < old.length; at++) after += old[at];
  return after;
}

type Counts = [oldStart: number, oldCount: number, newStart: number, newCount: number];

function splitKeeping(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/gu) ?? [];
}
