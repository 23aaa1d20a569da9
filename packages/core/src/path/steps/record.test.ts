import { createMemoryComputer } from "@haft/computer/memory";
import { ToolError } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../../hosts/scripted-host.ts";
import { createMemoryRecorder } from "../../recorder/memory-recorder.ts";
import type { CallRecord } from "../../recorder/recorder.ts";
import { parseRule } from "../../rules/rule.ts";
import type { SessionOptions } from "../../session/session-options.ts";
import { createManualClock } from "../../test-support/manual-clock.ts";
import { startSession } from "../../test-support/start-session.ts";

const echo = new MockTool({
  name: "echo",
  parameters: { type: "object", properties: { n: { type: "integer" } } },
  output: (input: unknown) => input,
  aliases: [{ name: "Echo" }],
});
const failing = new MockTool({ name: "failing", error: new ToolError("not-found", "Nothing.") });
const cancelling = new MockTool({ name: "cancelling", error: new ToolError("cancelled", "No.") });

function setUp(options: Partial<SessionOptions> = {}) {
  const recorder = createMemoryRecorder();
  const clock = createManualClock();
  const session = startSession(createMemoryComputer(), [echo, failing, cancelling], {
    recorder,
    clock,
    ...options,
  });
  const heard: string[] = [];
  for (const name of ["tool:pre", "tool:post", "tool:error"] as const) {
    session.on(name, (event) => heard.push(`${name} ${event.state}`));
  }
  session.on("tool:state", (event) => heard.push(`tool:state ${event.state}`));
  const rows = (): CallRecord[] => [...recorder.list(session.id)];
  return { session, clock, heard, rows };
}

describe("record", () => {
  it("writes one row per call, with the arguments as they came and the native id", async () => {
    const { session, clock, rows } = setUp();
    const result = await session.call({ id: "c1", name: "Echo", arguments: '{"n":"5"}' });
    expect(rows()).toEqual([
      {
        session: session.id,
        callId: "c1",
        name: "Echo",
        tool: "echo",
        arguments: '{"n":"5"}',
        dialect: "portable",
        startedAt: clock.now(),
        state: "done",
        result,
        passage: { action: "allow", rule: "* * allow", scope: "session" },
      },
    ]);
  });

  it("writes rows for calls that never ran", async () => {
    const { session, rows } = setUp({ rules: [parseRule("echo * deny")] });
    await session.call({ name: "nonsense" });
    await session.call({ name: "echo", arguments: "{" });
    await session.call({ name: "echo" });
    expect(rows().map(({ tool, state }) => [tool, state])).toEqual([
      [undefined, "error"],
      ["echo", "error"],
      ["echo", "error"],
    ]);
  });

  it("reports a call that ends with output", async () => {
    const { session, heard } = setUp();
    await session.call({ name: "echo" });
    expect(heard).toEqual(["tool:pre in-progress", "tool:state done", "tool:post done"]);
  });

  it("reports a call that ends without", async () => {
    const { session, heard } = setUp();
    await session.call({ name: "failing" });
    expect(heard).toEqual(["tool:pre in-progress", "tool:state error", "tool:error error"]);
  });

  it("reports a call that waited for a person", async () => {
    const { session, heard } = setUp({ rules: [], host: createScriptedHost({ ask: "once" }) });
    await session.call({ name: "echo" });
    expect(heard).toEqual([
      "tool:state blocked-on-user",
      "tool:state in-progress",
      "tool:pre in-progress",
      "tool:state done",
      "tool:post done",
    ]);
  });

  it("reports a call that a person rejected, which never began", async () => {
    const { session, heard, rows } = setUp({ rules: [], host: createScriptedHost() });
    await session.call({ name: "echo" });
    expect(heard).toEqual([
      "tool:state blocked-on-user",
      "tool:state rejected-by-user",
      "tool:error rejected-by-user",
    ]);
    expect(rows().map(({ state }) => state)).toEqual(["rejected-by-user"]);
  });

  it("reports a call that was cancelled", async () => {
    const { session, heard } = setUp();
    await session.call({ name: "cancelling" });
    expect(heard).toEqual(["tool:pre in-progress", "tool:state cancelled", "tool:error cancelled"]);
  });

  it("shows the result and the arguments that ran on the last event", async () => {
    const { session } = setUp();
    const events: object[] = [];
    session.on("tool:post", (event) => events.push(event));
    const result = await session.call({ id: "c1", name: "Echo", arguments: { n: "5" } });
    expect(events).toEqual([
      {
        session: session.id,
        callId: "c1",
        name: "Echo",
        tool: "echo",
        arguments: { n: 5 },
        state: "done",
        repairs: ["n: read string as integer"],
        result,
      },
    ]);
  });

  it("writes the row before it tells anybody", async () => {
    const { session, rows } = setUp();
    const counts: number[] = [];
    session.on("tool:post", () => counts.push(rows().length));
    await session.call({ name: "echo" });
    expect(counts).toEqual([1]);
  });

  it("lets no listener harm a call", async () => {
    const { session, rows } = setUp();
    const warnings: string[] = [];
    session.on("session:warning", ({ message }) => warnings.push(message));
    for (const name of ["tool:pre", "tool:state", "tool:post"] as const) {
      session.on(name, () => {
        throw new Error("broken");
      });
    }
    expect(await session.call({ name: "echo" })).toMatchObject({ type: "output" });
    expect(rows()).toHaveLength(1);
    expect(warnings).toEqual([
      "A listener for tool:pre threw: broken",
      "A listener for tool:state threw: broken",
      "A listener for tool:post threw: broken",
    ]);
  });

  it("refuses what changes something while nothing can be recorded", async () => {
    let failure: string | undefined;
    const recorder = { ...createMemoryRecorder(), findFailure: () => failure };
    const ran: string[] = [];
    const tools = (["read", "search", "think", "execute", "edit", "fetch", "other"] as const).map(
      (kind) => new MockTool({ name: kind, kind, output: () => ran.push(kind) }),
    );
    const session = startSession(createMemoryComputer(), tools, { recorder });
    failure = "The disk is full. Free space.";
    for (const { id } of tools) await session.call({ name: id });
    expect(ran).toEqual(["read", "search", "think"]);
    expect(await session.call({ name: "execute" })).toMatchObject({
      type: "error",
      error_text: expect.stringContaining("The disk is full. Free space."),
      metadata: { error_code: "unavailable" },
    });
    failure = undefined;
    expect(await session.call({ name: "execute" })).toMatchObject({ type: "output" });
  });

  it.each([
    ["an error", new Error("disk full"), "disk full"],
    ["nothing at all", undefined, "undefined"],
  ])("warns if the recorder throws %s, and gives the result", async (_, thrown, text) => {
    const recorder = {
      ...createMemoryRecorder(),
      record: () => {
        throw thrown;
      },
    };
    const { session } = setUp({ recorder });
    const warnings: string[] = [];
    session.on("session:warning", ({ message }) => warnings.push(message));
    expect(await session.call({ id: "c1", name: "echo" })).toMatchObject({ type: "output" });
    expect(warnings).toEqual([`The call c1 could not be recorded: ${text}`]);
  });
});
