import type { SentMessage } from "./model-request.ts";

/** Makes neighbours of one role one message, so that all formats read the same. */
export function joinMessages(messages: readonly SentMessage[]): readonly SentMessage[] {
  const joined: SentMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else joined[joined.length - 1] = join(last, message);
  }
  return joined;
}

function join(a: SentMessage, b: SentMessage): SentMessage {
  const calls = [...(a.calls ?? []), ...(b.calls ?? [])];
  const results = [...(a.results ?? []), ...(b.results ?? [])];
  return {
    role: a.role,
    text: [a.text, b.text].filter((text) => text !== "").join("\n"),
    ...(calls.length > 0 && { calls }),
    ...(results.length > 0 && { results }),
  };
}
