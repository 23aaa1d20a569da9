import { type CommandOutput, utf8Head } from "@haft/contract";
import { toPlainText } from "./to-plain-text.ts";
import { utf8Tail } from "./utf8-tail.ts";

/** How many bytes of a command's output are shown, from its start and from its end. */
export interface KeptOutput {
  readonly head: number;
  readonly tail: number;
}

/**
 * What a command printed as one plain text; a line in the middle says how much is missing. The
 * text may be longer than what was kept only if nothing is missing.
 */
export function joinOutput(output: CommandOutput, kept: KeptOutput): string {
  const { head, tail, omittedBytes } = output;
  if (omittedBytes === 0) return toPlainText(head + tail);
  // Bytes that are no text take three times their room as text.
  const start = utf8Head(toPlainText(head), kept.head);
  const end = utf8Tail(toPlainText(tail), kept.tail);
  return `${start}\n${describeGap(omittedBytes)}\n${end}`;
}

function describeGap(bytes: number): string {
  const count = String(bytes).replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
  return `[… ${count} bytes left out here; the whole is at the path in output_path …]`;
}
