import type { CallRecord } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createRecordedCalls } from "./recorded-calls.ts";

const row = (callId: string, startedAt = 0): CallRecord => ({ callId, startedAt }) as CallRecord;

describe("recorded calls", () => {
  it("come by their ids, in whichever order they are asked for", () => {
    const calls = createRecordedCalls([row("a"), row("b"), row("c")]);
    expect(["c", "a", "b", "a", "d"].map((id) => calls.take(id)?.callId)).toEqual([
      "c",
      "a",
      "b",
      undefined,
      undefined,
    ]);
  });

  it("come one after the other where they have the same id", () => {
    const calls = createRecordedCalls([row("a", 1), row("a", 2), row("b"), row("a", 3)]);
    calls.take("b");
    expect([1, 2, 3].map(() => calls.take("a")?.startedAt)).toEqual([1, 2, 3]);
  });

  it("return the remaining calls once", () => {
    const calls = createRecordedCalls([row("a"), row("b"), row("c"), row("d")]);
    calls.take("c");
    expect(calls.rest().map(({ callId }) => callId)).toEqual(["a", "b", "d"]);
    expect(calls.rest()).toEqual([]);
  });
});
