import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvents, type StreamEvent } from "./read-events.ts";

const text = [
  ": hello",
  "",
  "event: progress",
  'data: {"state":"größe"}',
  "",
  "data: one",
  "data:two",
  "data",
  "id: 7",
  "",
  "event: empty",
  "",
  "event: last",
  "data: 🔨",
  "",
  "",
].join("\r\n");

const expected: readonly StreamEvent[] = [
  { event: "progress", data: '{"state":"größe"}' },
  { event: "message", data: "one\ntwo\n", id: "7" },
  { event: "last", data: "🔨", id: "7" },
];

async function read(pieces: readonly Uint8Array[]): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  for await (const event of readEvents(stream)) events.push(event);
  return events;
}

describe("readEvents", () => {
  it("reads the same events however the bytes are cut", async () => {
    const bytes = new TextEncoder().encode(text);
    const cuts = fc.array(fc.nat(bytes.length), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const sorted = [0, ...places.toSorted((one, other) => one - other), bytes.length];
        const pieces = sorted.slice(1).map((end, at) => bytes.slice(sorted[at], end));
        expect(await read(pieces)).toEqual(expected);
      }),
    );
  });

  it.each(["\n", "\r", "\r\n"])("takes %j for the end of a line", async (end) => {
    const bytes = new TextEncoder().encode(
      `event: a${end}data: 1${end}${end}data: 2${end}${end}\n`,
    );
    expect(await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([
      { event: "a", data: "1" },
      { event: "message", data: "2" },
    ]);
  });

  it("drops an event that was not finished", async () => {
    expect(await read([new TextEncoder().encode("data: whole\n\ndata: half\n")])).toEqual([
      { event: "message", data: "whole" },
    ]);
  });

  it("cancels the stream when the reader stops", async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: again\n\n")),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const { data } of readEvents(stream)) {
      expect(data).toBe("again");
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
