import { type CommandOutput, utf8Head, utf8Length } from "@haft/contract";

/** Cuts an output to its start and its end. */
export function cutOutput(
  text: string,
  keep: { readonly head: number; readonly tail: number },
): CommandOutput {
  const totalBytes = utf8Length(text);
  if (totalBytes <= keep.head + keep.tail) {
    return { head: text, tail: "", omittedBytes: 0, totalBytes };
  }
  const head = utf8Head(text, keep.head);
  const tail = utf8Tail(text.slice(head.length), keep.tail);
  const omittedBytes = totalBytes - utf8Length(head) - utf8Length(tail);
  return { head, tail, omittedBytes, totalBytes };
}

function utf8Tail(text: string, limit: number): string {
  const bytes = Buffer.from(text, "utf8");
  let start = Math.max(0, bytes.length - limit);
  // Not inside a character.
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}
