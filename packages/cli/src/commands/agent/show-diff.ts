import { toVisibleLine } from "@haft/core";
import type { Style } from "../../terminal/style.ts";

const mostLines = 40;
const longestLine = 240;

/** A unified diff in colours, so much of it as a person looks at. */
export function showDiff(diff: string, style: Style, most: number = mostLines): string[] {
  const lines = diff.replace(/\n$/u, "").split("\n");
  const shown = lines.slice(0, most).map((line) => showLine(line, style));
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, style.dim(`… ${left} more lines of the diff`)];
}

/** How many lines a diff adds and takes away. */
export function countDiff(diff: string): string {
  const added = diff.match(/^\+(?!\+\+ )/gmu)?.length ?? 0;
  const removed = diff.match(/^-(?!-- )/gmu)?.length ?? 0;
  return `+${added} -${removed}`;
}

function showLine(text: string, style: Style): string {
  const cut = text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
  const line = toVisibleLine(cut.replace(/\r$/u, ""));
  if (/^(?:\+\+\+|---) /u.test(line)) return style.bold(line);
  if (line.startsWith("@@")) return style.cyan(line);
  if (line.startsWith("+")) return style.green(line);
  return line.startsWith("-") ? style.red(line) : line;
}
