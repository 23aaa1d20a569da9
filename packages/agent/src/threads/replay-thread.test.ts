import type { CallRecord } from "@haft/core";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../loop/agent-event.ts";
import { createMemoryThread } from "./memory-thread.ts";
import { replayThread } from "./replay-thread.ts";
import { answer, came, end, factsOf, user } from "./test-support/open-test-threads.ts";
import type { ThreadEntry } from "./thread.ts";

function recorded(callId: string, data: string): CallRecord {
  return {
    session: "w-1/a",
    callId,
    name: "read",
    tool: "read",
    arguments: {},
    dialect: "portable",
    startedAt: 1,
    state: "done",
    result: { type: "output", data, metadata: { duration_ms: 7 } },
  };
}

function replay(entries: readonly ThreadEntry[], calls: Iterable<CallRecord> = []): AgentEvent[] {
  const thread = createMemoryThread(factsOf("a"));
  for (const entry of entries) thread.append(entry);
  const events: AgentEvent[] = [];
  replayThread({ facts: thread.facts, entries: thread.entries(), calls }, (event) => {
    events.push(event);
  });
  return events;
}

const typesOf = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type);

describe("replayThread", () => {
  it("tells what happened, with the recorded results in the order of the requests", () => {
    const usage = { input_tokens: 5, output_tokens: 2, cached_tokens: 1, cost: 0.5 };
    const events = replay(
      [
        user("Go."),
        { ...answer("I read.", "1", "2"), usage } as ThreadEntry,
        came("2"),
        came("1"),
        { ...answer("Done."), usage } as ThreadEntry,
        end,
      ],
      [recorded("2", "second"), recorded("1", "first")],
    );
    expect(typesOf(events)).toEqual([
      "turn-start",
      "step-start",
      "text",
      "step-end",
      "tool-call",
      "tool-call",
      "tool-result",
      "tool-result",
      "step-start",
      "text",
      "step-end",
      "turn-end",
    ]);
    expect(events[0]).toEqual({
      type: "turn-start",
      session: "a",
      thread: "w-1/a",
      agent: "build",
      model: "openai/m",
    });
    expect(events[4]).toMatchObject({ id: "1", tool: "read", arguments: { path: "1.txt" } });
    expect(events[6]).toMatchObject({ id: "1", result: recorded("1", "first").result });
    expect(events[7]).toMatchObject({ id: "2", result: recorded("2", "second").result });
    expect(events.at(-1)).toEqual({
      type: "turn-end",
      reason: "end",
      text: "Done.",
      steps: 2,
      usage: { input_tokens: 10, output_tokens: 4, cached_tokens: 2, cost: 1 },
    });
  });

  it("gives calls of the same id their own results", () => {
    const entries = [user("Go."), answer("a", "1"), came("1"), answer("b", "1"), came("1"), end];
    const events = replay(entries, [recorded("1", "first"), recorded("1", "second")]);
    const results = events.flatMap((event) =>
      event.type === "tool-result" && event.result.type === "output" ? [event.result.data] : [],
    );
    expect(results).toEqual(["first", "second"]);
  });

  it("tells what the model saw of a call that has no record", () => {
    const failed: ThreadEntry = {
      kind: "result",
      callId: "2",
      name: "read",
      output: { type: "error-text", value: "No." },
    };
    const events = replay([user("Go."), answer("a", "1", "2"), came("1"), failed, end]);
    expect(events.filter(({ type }) => type === "tool-result")).toMatchObject([
      { id: "1", result: { type: "output", data: "content of 1" } },
      { id: "2", result: { type: "error", error_text: "No." } },
    ]);
  });

  it("reports notices, summaries and other agents where they were", () => {
    const events = replay([
      user("Go."),
      { kind: "notice", text: "early" },
      answer("a"),
      { kind: "notice", text: "late" },
      { kind: "summary", text: "So far." },
      { ...answer("b"), agent: "plan" } as ThreadEntry,
      { kind: "turn-end", reason: "loop", error: "Again." },
    ]);
    expect(typesOf(events)).toEqual([
      ...["turn-start", "notice", "step-start", "text", "step-end", "notice", "compaction"],
      ...["agent", "step-start", "text", "step-end", "turn-end"],
    ]);
    expect(events).toContainEqual({ type: "compaction", entries: 4, summary: "So far." });
    expect(events.at(-1)).toMatchObject({ reason: "loop", error: "Again.", steps: 2 });
  });

  it("reports turns that were never answered or never ended", () => {
    const unanswered: ThreadEntry = { kind: "turn-end", reason: "error", error: "No model." };
    const events = replay([user("Go."), unanswered, user("Again."), answer("a", "1")]);
    expect(typesOf(events)).toEqual([
      ...["turn-start", "turn-end"],
      ...["turn-start", "step-start", "text", "step-end", "tool-call"],
    ]);
  });

  it("reads no more of the record than it has to", () => {
    let read = 0;
    function* calls(): Generator<CallRecord> {
      for (let number = 1; number <= 100; number++) {
        read++;
        yield recorded(String(number), "x");
      }
    }
    replay([user("Go."), answer("a", "1"), came("1"), end], calls());
    expect(read).toBe(1);
  });
});
