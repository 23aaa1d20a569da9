import { describe, expect, it } from "vitest";
import { limitBody } from "./limit-body.ts";

function response(type: string, ...pieces: readonly string[]): Response {
  const body = new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": type } });
}

describe("limitBody", () => {
  it("lets through a stream of any length whose events are short", async () => {
    const event = "data: 1234\r\n\r\n";
    const limited = limitBody(response("text/event-stream", ...Array(100).fill(event)), 20);
    expect(await limited.text()).toBe(event.repeat(100));
  });

  it.each([
    ["an event of one line", "text/event-stream", ["data: ", "x".repeat(30)]],
    ["an event of many lines", "text/event-stream", Array<string>(10).fill("data: x\n")],
    ["a document", "application/json", Array<string>(10).fill("12345")],
  ])("fails where %s is over-long", async (_, type, pieces) => {
    await expect(limitBody(response(type, ...pieces), 20).text()).rejects.toThrow(
      "a message of more than 20 bytes",
    );
  });
});
