import type { CommandOutput } from "@haft/contract";

/** An output as one text, which says what is missing. */
export function joinOutput({ head, tail, omittedBytes }: CommandOutput): string {
  if (omittedBytes === 0) return head + tail;
  const gap = `[… ${omittedBytes} bytes are left out here …]`;
  return `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${gap}\n${tail}`;
}
