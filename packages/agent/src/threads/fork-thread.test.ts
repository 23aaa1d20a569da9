import { openSqliteRecorder } from "@haft/computer";
import type { CallRecord } from "@haft/core";
import { describe, expect, it } from "vitest";
import {
  answer,
  came,
  end,
  factsOf,
  openTestThreads,
  user,
} from "./test-support/open-test-threads.ts";

const entries = [
  user("First"),
  answer("One", "1"),
  came("1"),
  end,
  user("Second"),
  answer("Two"),
  end,
];

async function openForked() {
  let now = 1000;
  const opened = await openTestThreads({ clock: () => now++ });
  const thread = opened.threads.open(factsOf("a"));
  for (const entry of entries) thread.append(entry);
  return { ...opened, thread };
}

describe("a fork", () => {
  it("begins with everything that the other held, and continues by itself", async () => {
    const { threads, thread } = await openForked();
    const fork = threads.fork("w-1/a", factsOf("b"));
    expect(fork).toMatchObject({
      id: "w-1/b",
      parent: "w-1/a",
      forkedFrom: "w-1/a",
      title: "First",
      agent: "build",
      entries: 7,
      calls: 1,
    });
    const forked = threads.open(factsOf("b"));
    expect([...forked.entries()]).toEqual([...thread.entries()]);
    forked.append(user("Other"));
    thread.append(user("Third"));
    expect([...forked.entries(8)].map(({ entry }) => entry)).toEqual([user("Other")]);
    expect([...thread.entries(8)].map(({ entry }) => entry)).toEqual([user("Third")]);
  });

  it("begins with as much as was wanted", async () => {
    const { threads } = await openForked();
    expect(threads.fork("w-1/a", factsOf("b"), 4).entries).toBe(4);
    expect(threads.fork("w-1/a", factsOf("c"), 99).entries).toBe(7);
  });

  it("says of calls that it does not know what came of them", async () => {
    const { threads } = await openForked();
    threads.fork("w-1/a", factsOf("b"), 2);
    expect([...threads.entries("w-1/b", 3)].map(({ entry }) => entry)).toEqual([
      {
        kind: "result",
        callId: "1",
        name: "read",
        output: { type: "error-text", value: expect.stringContaining("forked here") },
      },
      { kind: "turn-end", reason: "aborted" },
    ]);
  });

  it("has the calls that it began with, and none that were made later", async () => {
    const { threads, recordings } = await openForked();
    const recorder = await openSqliteRecorder(recordings);
    const call: CallRecord = {
      session: "w-1/a",
      callId: "1",
      name: "read",
      tool: "read",
      arguments: {},
      dialect: "portable",
      startedAt: 1003,
      state: "done",
      result: { type: "output", data: "then", metadata: { duration_ms: 1 } },
    };
    recorder.record(call);
    recorder.record({ ...call, callId: "later", startedAt: 5000 });
    recorder.record({ ...call, session: "w-1/b", callId: "own", startedAt: 6000 });
    await recorder.close();
    threads.fork("w-1/a", factsOf("b"), 4);
    threads.fork("w-1/b", factsOf("c"));
    const ids = (id: string): string[] => [...threads.calls(id)].map(({ callId }) => callId);
    expect(ids("w-1/b")).toEqual(["1", "own"]);
    expect(ids("w-1/c")).toEqual(["1"]);
  });

  it("is refused if the source is missing or the target exists", async () => {
    const { threads } = await openForked();
    expect(() => threads.fork("w-1/none", factsOf("b"))).toThrow("no thread");
    expect(() => threads.fork("w-1/a", factsOf("a"))).toThrow("another name");
    expect(threads.find("w-1/b")).toBeUndefined();
  });
});
