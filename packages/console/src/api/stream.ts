import { ownHeaders, toApiError } from "./client.ts";

/** One server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Sends a request and yields the events of its response. Other responses are one `reply` event. */
export async function* stream(
  path: string,
  options: { method?: string; body?: unknown; signal?: AbortSignal; headers?: HeadersInit } = {},
): AsyncGenerator<StreamEvent> {
  const { method = "GET", body, signal, headers } = options;
  const response = await fetch(path, {
    method,
    headers: {
      accept: "text/event-stream",
      ...ownHeaders,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => null));
  if (!isStream || response.body === null) {
    yield { event: "reply", data: await response.json() };
    return;
  }
  let rest = "";
  for await (const text of toTexts(response.body)) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

async function* toTexts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  let event = "message";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
  }
  return data === "" ? undefined : { event, data: JSON.parse(data) };
}
