import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ThreadEntry } from "../threads/thread.ts";
import { type Conversation, createConversation } from "./conversation.ts";

const user = (text: string): ThreadEntry => ({ kind: "user", content: [{ type: "text", text }] });
const said = (text: string): ThreadEntry => ({
  kind: "assistant",
  content: [{ type: "text", text }],
  agent: "build",
  model: "m",
});
const calls = (...ids: string[]): ThreadEntry => ({
  kind: "assistant",
  content: ids.map((id) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: "look",
    input: {},
  })),
  agent: "build",
  model: "m",
});
const result = (callId: string, value = "Seen."): ThreadEntry => ({
  kind: "result",
  callId,
  name: "look",
  output: { type: "text", value },
});
const end: ThreadEntry = { kind: "turn-end", reason: "end" };

function take(...entries: ThreadEntry[]): Conversation {
  const conversation = createConversation();
  for (const entry of entries) conversation.add(entry);
  return conversation;
}

function show(conversation: Conversation): string[] {
  return conversation.messages().flatMap(({ role, content }) => {
    if (typeof content === "string") return [`${role}: ${content}`];
    return content.map((part) => {
      if (part.type === "text") return `${role}: ${part.text}`;
      if (part.type === "tool-call") return `call ${part.toolCallId}`;
      if (part.type === "tool-result" && "value" in part.output) {
        return `result ${part.toolCallId}: ${String(part.output.value)}`;
      }
      return `${role}: [${part.type}]`;
    });
  });
}

describe("a conversation", () => {
  it("has the results of calls in the order of the calls, whenever they came", () => {
    const conversation = take(user("Go."), calls("a", "b"), result("b"), result("a"));
    expect(show(conversation)).toEqual([
      "user: Go.",
      "call a",
      "call b",
      "result a: Seen.",
      "result b: Seen.",
    ]);
  });

  it("adds a result for an interrupted call, and drops the result of an unknown call", () => {
    const conversation = take(user("Go."), calls("a"), result("z"), user("Again."));
    expect(show(conversation)).toEqual([
      "user: Go.",
      "call a",
      expect.stringContaining("result a: The call was interrupted."),
      "user: Again.",
    ]);
  });

  it("grows without making the earlier messages again", () => {
    const conversation = take(user("One."), said("1."), end);
    const before = [...conversation.messages()];
    conversation.add(user("Two."));
    conversation.add(calls("a"));
    conversation.add(result("a"));
    const after = conversation.messages();
    expect(after.slice(0, 2)).toEqual(before);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  it("begins with the summary", () => {
    const conversation = take(user("Old."), said("Old."), { kind: "summary", text: "It was." });
    conversation.add(said("On."));
    expect(show(conversation)).toEqual([expect.stringContaining("It was."), "assistant: On."]);
    expect(conversation.entries).toBe(2);
  });

  it("begins with a person's words, even if they are gone", () => {
    expect(show(take(said("On."), user("Go.")))).toEqual([
      expect.stringContaining("no longer shown"),
      "assistant: On.",
      "user: Go.",
    ]);
  });

  it("shortens long results of the turns before, the same way each time", () => {
    const long = "x".repeat(5000);
    const entries = [
      user("One."),
      calls("a"),
      result("a", long),
      end,
      user("Two."),
      calls("b"),
      result("b", long),
    ];
    const conversation = take(...entries);
    const before = conversation.tokens;
    conversation.shortenOldTurns();
    const lines = show(conversation);
    expect(lines[2]).toContain("3500 of 5000 characters");
    expect(lines.at(-1)).toBe(`result b: ${long}`);
    expect(conversation.tokens).toBeLessThan(before);
    const first = conversation.messages()[2];
    conversation.shortenOldTurns();
    expect(conversation.messages()[2]).toBe(first);
  });

  it("shortens results of this turn but for the last two steps", () => {
    const long = "x".repeat(5000);
    const ids = ["a", "b", "c"];
    const conversation = take(user("Go."), ...ids.flatMap((id) => [calls(id), result(id, long)]));
    conversation.shortenThisTurn();
    const lengths = show(conversation)
      .filter((line) => line.startsWith("result"))
      .map((line) => line.length > 5000);
    expect(lengths).toEqual([false, true, true]);
  });

  it("drops pictures of old results", () => {
    const picture: ThreadEntry = {
      kind: "result",
      callId: "a",
      name: "look",
      output: {
        type: "content",
        value: [
          { type: "text", text: "A dot." },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
        ],
      },
    };
    const conversation = take(user("One."), calls("a"), picture, end, user("Two."));
    conversation.shortenOldTurns();
    expect(show(conversation)[2]).toBe("result a: A dot.\n\n[image/png, no longer shown]");
  });

  it("leaves out the oldest turns, but never this one", () => {
    const turn = (name: string): ThreadEntry[] => [user(name), said("y".repeat(400)), end];
    const conversation = take(...turn("One."), ...turn("Two."), ...turn("Three."), user("Four."));
    expect(conversation.dropTurns(150)).toBe(2);
    expect(show(conversation)[0]).toBe("user: Three.");
    expect(conversation.dropTurns(0)).toBe(1);
    expect(show(conversation)).toEqual(["user: Four."]);
    expect(conversation.dropTurns(0)).toBe(0);
  });

  it("leaves out the oldest steps of this turn and says so once", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const steps = ids.flatMap((id) => [calls(id), result(id, "z".repeat(400))]);
    const conversation = take(user("Go."), ...steps);
    expect(conversation.dropSteps(conversation.tokens - 10)).toBe(1);
    expect(conversation.dropSteps(0)).toBe(2);
    expect(show(conversation).map((line) => line.slice(0, 9))).toEqual([
      "user: Go.",
      "user: <no",
      "call d",
      "result d:",
      "call e",
      "result e:",
    ]);
  });

  it("can be sent whatever a thread holds and whatever is left out of it", () => {
    const ids = ["a", "b", "c"];
    const anyEntry: fc.Arbitrary<ThreadEntry> = fc.oneof(
      fc.constantFrom(user("Go."), said("On."), end),
      fc.constant<ThreadEntry>({ kind: "turn-end", reason: "aborted" }),
      fc.constant<ThreadEntry>({ kind: "notice", text: "News." }),
      fc.constant<ThreadEntry>({ kind: "summary", text: "It was." }),
      fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }).map((some) => calls(...some)),
      fc
        .tuple(fc.constantFrom(...ids), fc.constantFrom(1, 9000))
        .map(([id, length]) => result(id, "x".repeat(length))),
    );
    const change = fc.constantFrom(
      (one: Conversation): unknown => one.shortenOldTurns(),
      (one: Conversation): unknown => one.shortenThisTurn(),
      (one: Conversation): unknown => one.dropTurns(one.tokens / 2),
      (one: Conversation): unknown => one.dropSteps(one.tokens / 2),
      (one: Conversation): unknown => one.messages(),
    );
    const step = fc.oneof({ weight: 5, arbitrary: anyEntry }, { weight: 1, arbitrary: change });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const conversation = createConversation();
        for (const one of steps) {
          if (typeof one === "function") one(conversation);
          else conversation.add(one);
        }
        const messages = conversation.messages();
        const counted = conversation.pieces().reduce((sum, { tokens }) => sum + tokens, 0);
        expect(conversation.tokens).toBe(counted);
        for (const [at, { role, content }] of messages.entries()) {
          const before = messages[at - 1];
          if (at === 0) expect(role).toBe("user");
          if (role === "user") expect(before?.role).not.toBe("user");
          const open = callsIn(content);
          const next = messages[at + 1];
          expect(next?.role === "tool" ? resultsIn(next.content) : []).toEqual(open);
        }
      }),
    );
  });
});

type Content = ReturnType<Conversation["messages"]>[number]["content"];

function callsIn(content: Content): string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
}

function resultsIn(content: Content): string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []));
}
