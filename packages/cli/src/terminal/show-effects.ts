import type { AskEffects, AskRequest } from "@haft/core";
import { describeChange, showArguments, toVisibleLine } from "@haft/core/internal";

/** What a command that has ended would change, as text for a terminal. */
export interface ShownEffects {
  readonly text: string;
  /** The whole text, if `text` leaves something out. */
  readonly whole?: string;
}

// The command, the possible answers and the prompt are on the screen as well.
const otherLines = 16;
const maxCommandLines = 6;
const minLines = 8;

/** Formats the changes of a command and their diff, folded to the height of the screen. */
export function showEffects(
  { name, arguments: args, effects }: AskRequest & { readonly effects: AskEffects },
  rows: number,
): ShownEffects {
  const { changes, total, diff } = effects;
  const files = total === 1 ? "1 change needs" : `${total} changes need`;
  const head = ["", `${name} has run, and ${files} approval:`, ""];
  const command = showArguments(args);
  const list = changes.map(
    (change, index) => `  ${`${index + 1}`.padStart(3)}  ${describeChange(change)}`,
  );
  const shown = changes.reduce((sum, { files: inside = 1 }) => sum + inside, 0);
  if (shown < total) list.push(`       … and ${total - shown} more`);
  const body = [...list, ...(diff === "" ? [] : ["", ...showArguments({ diff: diff.trimEnd() })])];
  const whole = toText([...head, ...command, "", ...body, ""]);
  const maxLines = Math.max(minLines, rows - otherLines);
  if (command.length <= maxCommandLines && body.length <= maxLines) return { text: whole };
  const parts = [...fold(command, maxCommandLines), "", ...fold(body, maxLines)];
  return { text: toText([...head, ...parts, ""]), whole };
}

function fold(lines: readonly string[], maxLines: number): readonly string[] {
  const left = lines.length - maxLines;
  if (left <= 0) return lines;
  return [...lines.slice(0, maxLines), `  … ${left} more lines: v shows them`];
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${toVisibleLine(line)}\n`).join("");
}
