import { createMemoryComputer } from "@haft/computer/memory";
import { type Runtime, type Tool, ToolError } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createHeldTool } from "../../test-support/held-tool.ts";
import { createManualClock } from "../../test-support/manual-clock.ts";
import { settle } from "../../test-support/settle.ts";
import { startSession } from "../../test-support/start-session.ts";

function makeTool(execute: (args: unknown, runtime: Runtime) => unknown): Tool {
  return { ...new MockTool({ name: "tool" }), execute: execute as Tool["execute"] };
}

function run(execute: (args: unknown, runtime: Runtime) => unknown) {
  return startSession(createMemoryComputer(), [makeTool(execute)]).call({ name: "tool" });
}

/** A call under way on a clock that stands still. */
async function start(declaration: Pick<Tool, "timeoutMs"> = {}) {
  const clock = createManualClock();
  const tool = createHeldTool("tool", "read", declaration);
  const session = startSession(createMemoryComputer(), [tool], { clock });
  const result = session.call({ name: "tool" });
  await settle();
  const [call] = tool.calls;
  if (call === undefined) throw new Error("The tool was not started.");
  return { clock, session, call, result };
}

describe("execute", () => {
  it.each([
    ["after a while", async () => "done"],
    ["at once", () => "done"],
  ])("takes what a tool returns %s", async (_, execute) => {
    expect(await run(execute)).toMatchObject({ type: "output", data: "done" });
  });

  it("passes an expected failure on with its code and file", async () => {
    const error = new ToolError("not-found", "There is no file a.", { absolutePath: "/w/a" });
    expect(await run(() => Promise.reject(error))).toMatchObject({
      type: "error",
      error_text: "There is no file a.",
      metadata: { error_code: "not-found", absolute_path: "/w/a" },
    });
  });

  it.each<[string, unknown, string]>([
    ["an error", new TypeError("x is not a function"), "x is not a function"],
    ["a text", "oops", "oops"],
    ["nothing", undefined, "undefined"],
    [
      "what has no words",
      Object.create(null),
      "something that can't be turned into text was thrown",
    ],
    ["a code that is in no table", new ToolError("made-up" as never, "oops"), "oops"],
  ])("treats %s that a tool throws as a bug in it", async (_, thrown, text) => {
    const expected = {
      type: "error",
      error_text: `tool failed unexpectedly: ${text}`,
      metadata: { error_code: "internal" },
    };
    const throwNow = (): never => {
      throw thrown;
    };
    expect(await run(throwNow)).toMatchObject(expected);
    expect(await run(async () => throwNow())).toMatchObject(expected);
  });

  it("stops a call after 120 seconds without a sign of life", async () => {
    const { clock, call, result } = await start();
    clock.advance(119_999);
    expect(call.runtime.signal.aborted).toBe(false);
    clock.advance(1);
    expect(call.runtime.signal.aborted).toBe(true);
    call.fail(call.runtime.signal.reason);
    expect(await result).toMatchObject({
      error_text: "Tool execution timed out after 120 seconds",
      metadata: { error_code: "timeout", duration_ms: 120_000 },
    });
  });

  it("respects the tool's own limit", async () => {
    const { clock, call, result } = await start({ timeoutMs: 1_500 });
    clock.advance(1_500);
    call.fail(new Error("interrupted"));
    expect(await result).toMatchObject({
      error_text: "Tool execution timed out after 1.5 seconds",
    });
  });

  it("starts the limit again with every progress", async () => {
    const { clock, call, result } = await start({ timeoutMs: 100 });
    for (let time = 0; time < 5; time++) {
      clock.advance(99);
      call.runtime.progress();
    }
    expect(call.runtime.signal.aborted).toBe(false);
    clock.advance(100);
    expect(call.runtime.signal.aborted).toBe(true);
    call.fail(new Error("interrupted"));
    await result;
  });

  it("sets no limit where the tool wants none", async () => {
    const { clock, call, result } = await start({ timeoutMs: "none" });
    call.runtime.progress();
    clock.advance(10 ** 9);
    call.finish("done");
    expect(await result).toMatchObject({ data: "done" });
  });

  it("tells what the tool had so far when its time was up", async () => {
    const { clock, call, result } = await start();
    clock.advance(120_000);
    call.fail(new ToolError("failed", "Interrupted.", { partial: "line 1\nline 2" }));
    expect(await result).toMatchObject({
      error_text: "Tool execution timed out after 120 seconds\n\nOutput so far:\nline 1\nline 2",
      metadata: { error_code: "timeout" },
    });
  });

  it("cuts off a tool that does not stop within a second", async () => {
    const { clock, session, call, result } = await start();
    session.abort("Enough.");
    let ended = false;
    void result.then(() => {
      ended = true;
    });
    clock.advance(999);
    await settle();
    expect(ended).toBe(false);
    clock.advance(1);
    expect(await result).toMatchObject({
      error_text: "Enough.",
      metadata: { error_code: "cancelled" },
    });
    // What it does from now on is ignored.
    call.fail(new Error("late"));
    await settle();
  });

  it("gives a tool that times out the same second", async () => {
    const { clock, result } = await start();
    clock.advance(120_000);
    clock.advance(1_000);
    expect(await result).toMatchObject({ metadata: { error_code: "timeout" } });
  });

  it("takes the data of a tool that finished though it was told to stop", async () => {
    const { session, call, result } = await start();
    session.abort();
    call.finish("written anyway");
    expect(await result).toMatchObject({ type: "output", data: "written anyway" });
  });

  it("leaves nothing running when the call has ended", async () => {
    const { clock, session, call, result } = await start();
    session.abort();
    expect(clock.held()).toBeGreaterThan(0);
    call.finish();
    await result;
    expect(clock.held()).toBe(0);
  });

  it("does not start a tool that a listener stopped at the last moment", async () => {
    const tool = new MockTool({ name: "tool" });
    const session = startSession(createMemoryComputer(), [tool]);
    session.on("tool:pre", () => session.abort("Not this one."));
    expect(await session.call({ name: "tool" })).toMatchObject({
      error_text: "Not this one.",
      metadata: { error_code: "cancelled" },
    });
    expect(tool.callCount).toBe(0);
  });
});
