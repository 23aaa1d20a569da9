import { expect, it } from "vitest";
import type { AgentEvent } from "../loop/agent-event.ts";
import { describeProgress } from "./describe-progress.ts";

function call(given: Extract<AgentEvent, { type: "tool-call" }>["arguments"]): AgentEvent {
  return { type: "tool-call", id: "1", name: "grep", arguments: given };
}

it("tells a child's calls by what they are about", () => {
  expect(describeProgress("finder", call({ limit: 3, pattern: "a\n b" }))).toBe("finder: grep a b");
  expect(describeProgress("finder", call({}))).toBe("finder: grep");
  expect(describeProgress("finder", call(null))).toBe("finder: grep");
  expect(describeProgress("finder", call({ pattern: "\u001b[31m" }))).toBe(
    "finder: grep \\u{1b}[31m",
  );
  expect(describeProgress("finder", { type: "text", text: "Hm." })).toBeUndefined();
});

it("has at most a hundred characters", () => {
  const text = describeProgress("finder", call({ pattern: "😀".repeat(1_000_000) }));
  expect(text?.length).toBeLessThanOrEqual(100);
  expect(text?.isWellFormed()).toBe(true);
});
