/** One event of a stream. */
export interface StreamEvent {
  /** `message` where the server names none. */
  readonly event: string;
  /** The lines of data, joined. */
  readonly data: string;
  /** The last ID that the server sent, if any. */
  readonly id?: string;
}

const lineEnd = /\r\n|\n|\r/u;

/** Reads server-sent events, however the bytes are cut into pieces. An unfinished one is dropped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const block = createBlock();
  for await (const line of readLines(body)) {
    if (line !== "") block.add(line);
    else {
      const event = block.finish();
      if (event !== undefined) yield event;
    }
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  // Takes off a byte order mark, and keeps half of a character until the other half has come.
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line's end.
      const cut = rest.endsWith("\r") ? rest.length - 1 : rest.length;
      const lines = rest.slice(0, cut).split(lineEnd);
      rest = `${lines.pop()}${rest.slice(cut)}`;
      yield* lines;
    }
  } finally {
    // Who stops listening early does not want the rest.
    await reader.cancel().catch(() => undefined);
  }
}

function createBlock(): { add(line: string): void; finish(): StreamEvent | undefined } {
  let event = "message";
  let data: string[] = [];
  let id: string | undefined;
  return {
    add: (line) => {
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /u, "");
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
      else if (field === "id") id = value;
    },
    finish: () => {
      const sent = { event, data: data.join("\n"), ...(id !== undefined && { id }) };
      const finished = data.length === 0 ? undefined : sent;
      event = "message";
      data = [];
      return finished;
    },
  };
}
