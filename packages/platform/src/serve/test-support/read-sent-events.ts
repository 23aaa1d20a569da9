/** An event of a stream, as it arrived. */
export interface SentEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The server-sent events of a whole answer. */
export function readSentEvents(text: string): readonly SentEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block.includes("event: "))
    .map((block) => ({
      event: /^event: (.*)$/mu.exec(block)?.[1] ?? "",
      data: JSON.parse(/^data: (.*)$/mu.exec(block)?.[1] ?? "null"),
    }));
}
