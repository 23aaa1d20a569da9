import type { CommandOutput } from "@haft/contract";
import { utf8Head, utf8Tail } from "@haft/contract/internal";
import { toPlainText } from "./to-plain-text.ts";

/** How many bytes of a command's output are shown from its start and its end. */
export interface KeptOutput {
  readonly head: number;
  readonly tail: number;
}

/**
 * Joins the output of a command to one plain text. If bytes are missing, a line in the middle says
 * how many, and the text is at most as long as `kept` allows. If the command goes on as a job, there is
 * no file with the whole yet.
 */
export function joinOutput(output: CommandOutput, kept: KeptOutput, jobId?: string): string {
  const { head, tail, omittedBytes } = output;
  if (omittedBytes === 0) return toPlainText(head + tail);
  // Each invalid byte takes three bytes as text.
  const start = utf8Head(toPlainText(head), kept.head);
  const end = utf8Tail(toPlainText(tail), kept.tail);
  return `${start}\n${describeGap(omittedBytes, jobId)}\n${end}`;
}

function describeGap(bytes: number, jobId: string | undefined): string {
  const count = String(bytes).replaceAll(/\B(?=(?:\d{3})+$)/gu, ",");
  if (jobId !== undefined) return `[… ${count} bytes left out here …]`;
  return `[… ${count} bytes left out here; the whole is at the path in output_path …]`;
}
