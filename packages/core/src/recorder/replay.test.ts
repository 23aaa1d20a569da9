import { createMemoryComputer } from "@haft/computer/memory";
import { ToolError, type ToolResult } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { CallRequest } from "../path/call.ts";
import { startSession } from "../test-support/start-session.ts";
import { createMemoryRecorder } from "./memory-recorder.ts";
import type { CallRecord } from "./recorder.ts";
import { createReplay } from "./replay.ts";

/** A tool that never gives the same answer twice, one that fails, and one that is cut short. */
function makeTools(): MockTool[] {
  let count = 0;
  return [
    new MockTool({ name: "count", output: (input: unknown) => ({ count: ++count, input }) }),
    new MockTool({ name: "failing", error: new ToolError("not-found", "Nothing.") }),
    new MockTool({ name: "long", output: "abc", maxOutput: { bytes: 1 } }),
  ];
}

async function recordSession(requests: readonly CallRequest[]) {
  const recorder = createMemoryRecorder();
  const session = startSession(createMemoryComputer(), makeTools(), { recorder });
  const results: ToolResult[] = [];
  for (const request of requests) results.push(await session.call(request));
  return { results, records: [...recorder.list(session.id)] };
}

const requests: CallRequest[] = [
  { id: "1", name: "count", arguments: { a: 1, b: [2, { c: null }] } },
  { id: "2", name: "failing" },
  { id: "3", name: "count", arguments: { a: 1, b: [2, { c: null }] } },
  { id: "4", name: "count", arguments: "{broken" },
  { id: "5", name: "none" },
  { id: "6", name: "long" },
  { id: "7", name: "count", arguments: { a: 2 } },
];

describe("createReplay", () => {
  it("gives the same calls the same results, repeats and errors too", async () => {
    const { results, records } = await recordSession(requests);
    const replay = createReplay(records);
    const replayed: ToolResult[] = [];
    for (const request of requests) replayed.push(await replay.call(request));
    expect(replayed).toEqual(results);
  });

  it("gives them in a batch, in the order of the requests", async () => {
    const { results, records } = await recordSession(requests);
    const outcomes = await createReplay(records).batch(requests);
    expect(outcomes).toEqual(
      requests.map(({ id, name }, index) => ({ id, name, result: results[index] })),
    );
  });

  it("gives other calls in between their own results", async () => {
    const { results, records } = await recordSession(requests);
    const replay = createReplay(records);
    expect(await replay.call({ name: "count", arguments: { a: 2 } })).toEqual(results[6]);
    expect(await replay.call({ name: "count", arguments: { a: 1, b: [2, { c: null }] } })).toEqual(
      results[0],
    );
  });

  it.each<[string, CallRequest["arguments"]]>([
    ["another order of keys", { b: [2, { c: null }], a: 1 }],
    ["JSON text", '{ "a": 1, "b": [2, {"c":null}] }'],
    ["a property that is undefined", { a: 1, b: [2, { c: null }], d: undefined } as never],
  ])("knows the same arguments by %s", async (_, args) => {
    const { results, records } = await recordSession(requests.slice(0, 1));
    expect(
      await createReplay(records).call({ name: "count", ...(args && { arguments: args }) }),
    ).toEqual(results[0]);
  });

  it.each<[string, CallRequest["arguments"]]>([
    ["an empty object", {}],
    ["empty text", ""],
    ["null", "null"],
  ])("knows no arguments by %s", async (_, args) => {
    const { results, records } = await recordSession([{ name: "count" }]);
    expect(await createReplay(records).call({ name: "count", arguments: args as never })).toEqual(
      results[0],
    );
  });

  it.each<[string, CallRequest]>([
    ["of another tool", { name: "other", arguments: { a: 1 } }],
    ["with other arguments", { name: "count", arguments: { a: "1" } }],
    ["with a list in another order", { name: "count", arguments: { a: [2, 1] } }],
    ["made once too often", { name: "count", arguments: { a: [1, 2] } }],
  ])("has no answer to a call %s", async (_, request) => {
    const { records } = await recordSession([{ name: "count", arguments: { a: [1, 2] } }]);
    const replay = createReplay(records);
    await replay.call({ name: "count", arguments: { a: [1, 2] } });
    expect(await replay.call(request)).toMatchObject({
      type: "error",
      error_text: `The recording has no further call of ${request.name} with these arguments. A replay only answers recorded calls.`,
      metadata: { error_code: "not-found" },
    });
  });

  it("shows everything in the recording, as it happened", async () => {
    const { results, records } = await recordSession(requests);
    const replay = createReplay(records);
    await replay.call(requests[0] as CallRequest);
    expect(replay.all()).toEqual(
      requests.map(({ id, name }, index) => ({ id, name, result: results[index] })),
    );
  });
});

describe("createMemoryRecorder", () => {
  it("keeps the rows of each session, in order", () => {
    const recorder = createMemoryRecorder();
    const row = (session: string, callId: string) => ({ session, callId }) as CallRecord;
    for (const one of [row("a", "1"), row("b", "2"), row("a", "3")]) recorder.record(one);
    expect([...recorder.list("a")].map(({ callId }) => callId)).toEqual(["1", "3"]);
    expect([...recorder.list("none")]).toEqual([]);
  });
});
