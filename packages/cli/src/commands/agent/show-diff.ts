import { toVisibleLine } from "@haft/core/internal";
import type { Style } from "../../terminal/style.ts";

const maxLines = 40;
const maxLineLength = 240;

/** Formats the beginning of a unified diff in colours. */
export function showDiff(diff: string, style: Style, most: number = maxLines): string[] {
  const lines = diff.replace(/\n$/u, "").split("\n");
  const shown = lines.slice(0, most).map((line) => showLine(line, style));
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, style.dim(`… ${left} more lines of the diff`)];
}

/** Counts the lines that a diff adds and removes. */
export function countDiff(diff: string): string {
  const added = diff.match(/^\+(?!\+\+ )/gmu)?.length ?? 0;
  const removed = diff.match(/^-(?!-- )/gmu)?.length ?? 0;
  return `+${added} -${removed}`;
}

function showLine(text: string, style: Style): string {
  const cut = text.length > maxLineLength ? `${text.slice(0, maxLineLength - 1)}…` : text;
  const line = toVisibleLine(cut.replace(/\r$/u, ""));
  if (/^(?:\+\+\+|---) /u.test(line)) return style.bold(line);
  if (line.startsWith("@@")) return style.cyan(line);
  if (line.startsWith("+")) return style.green(line);
  return line.startsWith("-") ? style.red(line) : line;
}
