import { createMemoryComputer } from "@haft/computer/memory";
import { ToolError } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../hosts/scripted-host.ts";
import { createMemoryRecorder } from "../recorder/memory-recorder.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Session } from "../session/session.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { startSession } from "../test-support/start-session.ts";
import type { EarlierCall } from "./watchdog.ts";

const echo = new MockTool({
  name: "echo",
  parameters: { type: "object" },
  aliases: [{ name: "Echo" }],
});
const failing = new MockTool({ name: "failing", error: new ToolError("not-found", "Nothing.") });
const editing = new MockTool({ name: "editing", kind: "edit" });

function setUp(options: Partial<SessionOptions> = {}): { session: Session; seen: EarlierCall[][] } {
  const seen: EarlierCall[][] = [];
  const session = startSession(createMemoryComputer(), [echo, failing, editing], {
    host: createScriptedHost({ ask: "once" }),
    watchdog: ({ earlier }) => {
      seen.push([...earlier]);
      return { action: "allow" };
    },
    ...options,
  });
  return { session, seen };
}

describe("earlier calls", () => {
  it("are those of the session that ended, oldest first", async () => {
    const { session, seen } = setUp();
    await session.call({ name: "Echo", arguments: { n: 1 } });
    await session.call({ name: "failing" });
    await session.call({ name: "nonsense" });
    await session.call({ name: "echo" });
    expect(seen[0]).toEqual([]);
    expect(seen[2]).toMatchObject([
      { tool: "echo", kind: "other", arguments: { n: 1 }, failed: false, errorCode: undefined },
      { tool: "failing", failed: true, errorCode: "not-found", identity: expect.any(String) },
      { tool: undefined, failed: true, errorCode: "unknown-tool" },
    ]);
  });

  it("are no more than fifty", async () => {
    const { session, seen } = setUp();
    for (let n = 0; n < 60; n++) await session.call({ name: "echo", arguments: { n } });
    expect(seen.at(-1)).toHaveLength(50);
    expect(seen.at(-1)?.[0]).toMatchObject({ arguments: { n: 9 } });
  });

  it("have the same identity if they are the same, however they are spelled", async () => {
    const { session, seen } = setUp();
    await session.call({ name: "failing", arguments: { a: 1, b: 2 } });
    await session.call({ name: "failing", arguments: '{"b":2,"a":1}' });
    await session.call({ name: "failing", arguments: { a: 2 } });
    await session.call({ name: "echo" });
    const [one, two, three] = seen.at(-1) ?? [];
    expect(one?.identity).toBe(two?.identity);
    expect(one?.identity).not.toBe(three?.identity);
  });

  it("do not keep what is long", async () => {
    const { session, seen } = setUp();
    await session.call({ name: "editing", arguments: { content: "x" } });
    await session.call({ name: "editing", arguments: { content: "x".repeat(100_000) } });
    await session.call({ name: "echo" });
    expect(seen.at(-1)?.map(({ arguments: args }) => args)).toEqual([{ content: "x" }, undefined]);
  });

  it("begin with what an earlier process recorded", async () => {
    const recorder = createMemoryRecorder();
    const first = setUp({ recorder });
    await first.session.call({ name: "echo", arguments: '{"n":1}' });
    await first.session.call({ name: "failing", arguments: { n: 2 } });
    const { session, seen } = setUp({ recorder });
    await session.call({ name: "failing", arguments: { n: 2 } });
    await session.call({ name: "echo" });
    expect(seen[0]).toMatchObject([
      { tool: "echo", kind: "other", arguments: { n: 1 }, failed: false },
      { tool: "failing", arguments: { n: 2 }, failed: true, errorCode: "not-found" },
    ]);
    const [, recorded, own] = seen[1] ?? [];
    expect(seen[1]).toHaveLength(3);
    expect(recorded?.identity).toBe(own?.identity);
  });

  it.each<[string, (recorder: Recorder) => Recorder]>([
    ["can't look back", ({ recent: _, ...recorder }) => recorder],
    [
      "fails to look back",
      (recorder) => ({
        ...recorder,
        recent: () => {
          throw new Error("disk gone");
        },
      }),
    ],
  ])("are only those of this process if the recorder %s", async (_, change) => {
    const { session, seen } = setUp({ recorder: change(createMemoryRecorder()) });
    await session.call({ name: "echo" });
    expect(await session.call({ name: "echo" })).toMatchObject({ type: "output" });
    expect(seen.map(({ length }) => length)).toEqual([0, 1]);
  });
});
