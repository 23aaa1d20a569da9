import { describe, expect, it } from "vitest";
import { createConversation } from "./conversation.ts";
import { writeTranscript } from "./transcript.ts";

const conversation = createConversation();
conversation.add({ kind: "summary", text: "Before." });
conversation.add({
  kind: "user",
  content: [
    { type: "text", text: "Look." },
    { type: "file", mediaType: "image/png", data: "aGk=" },
  ],
});
conversation.add({
  kind: "assistant",
  content: [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "I look." },
    { type: "tool-call", toolCallId: "c", toolName: "look", input: { at: "it" } },
  ],
  agent: "build",
  model: "m",
});
conversation.add({
  kind: "result",
  callId: "c",
  name: "look",
  output: { type: "text", value: `Seen ${"x".repeat(3000)}` },
});
const pieces = conversation.pieces();

describe("a transcript", () => {
  it("has everything in words, with long results cut", () => {
    const text = writeTranscript(pieces, 100_000);
    expect(text).toContain("Before.");
    expect(text).toContain("Person: Look.\n[a file, image/png]");
    expect(text).toContain(
      'Assistant: I look.\n[calls look {"at":"it"}]\nResult of look: Seen xxx',
    );
    expect(text).toContain("[…]");
    expect(text).not.toContain("Hm.");
    expect(text.length).toBeLessThan(2500);
  });

  it("keeps the latest entries within its limit, and the first if requested", () => {
    expect(writeTranscript(pieces, 2150)).not.toContain("Before.");
    expect(writeTranscript(pieces, 2150)).toContain("Look.");
    const text = writeTranscript(pieces, 100, true);
    expect(text).toContain("Before.");
    expect(text).not.toContain("Person: Look.");
    expect(text).toContain("Result of look");
  });

  it("of an empty thread is empty", () => {
    expect(writeTranscript([], 100)).toBe("");
  });
});
