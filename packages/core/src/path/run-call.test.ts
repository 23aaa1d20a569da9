import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../hosts/scripted-host.ts";
import type { Rule } from "../rules/rule.ts";
import type { Session } from "../session/session.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { createHeldTool } from "../test-support/held-tool.ts";
import { settle } from "../test-support/settle.ts";
import { startSession } from "../test-support/start-session.ts";

const cancelled = {
  type: "error",
  error_text: "The call was aborted.",
  metadata: { error_code: "cancelled" },
};
const askFirst: Rule[] = [{ permission: "*", pattern: "*", action: "ask" }];

function setUp(options: Partial<SessionOptions> = {}) {
  const tool = createHeldTool("tool", "write");
  const session: Session = startSession(createMemoryComputer(), [tool], options);
  const states: string[] = [];
  session.on("tool:state", ({ callId, state }) => states.push(`${callId} ${state}`));
  const controller = new AbortController();
  const call = (id: string) =>
    session.call({ id, name: "tool", arguments: { key: "a" } }, { signal: controller.signal });
  return { tool, session, states, controller, call };
}

describe("an aborted call", () => {
  it("does nothing at all if it was aborted before it began", async () => {
    let consulted = 0;
    const host = createScriptedHost({ ask: "once" });
    const { tool, states, controller, call } = setUp({
      host,
      rules: askFirst,
      watchdog: () => {
        consulted++;
        return { action: "allow" };
      },
    });
    controller.abort();
    expect(await call("c")).toMatchObject(cancelled);
    expect(host.asked).toEqual([]);
    expect(consulted).toBe(0);
    expect(tool.calls).toEqual([]);
    expect(states).toEqual(["c cancelled"]);
  });

  it("does not wait for the person who is being asked", async () => {
    const signals: AbortSignal[] = [];
    const host = createScriptedHost({
      ask: ({ signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const { tool, states, controller, call } = setUp({ host, rules: askFirst });
    const result = call("c");
    await settle();
    controller.abort();
    expect(await result).toMatchObject(cancelled);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(tool.calls).toEqual([]);
    expect(states).toEqual(["c blocked-on-user", "c cancelled"]);
  });

  it("leaves the queue, and those behind it continue", async () => {
    const { tool, session, controller, call } = setUp();
    const first = session.call({ name: "tool", arguments: { key: "a" } });
    const second = call("second");
    const third = session.call({ name: "tool", arguments: { key: "a" } });
    await settle();
    controller.abort();
    expect(await second).toMatchObject(cancelled);
    tool.calls[0]?.finish("first");
    expect(await first).toMatchObject({ data: "first" });
    await settle();
    expect(tool.calls).toHaveLength(2);
    tool.calls[1]?.finish("third");
    expect(await third).toMatchObject({ data: "third" });
  });

  it("does not wait for a file that another session holds", async () => {
    const computer = createMemoryComputer();
    const tool = createHeldTool("tool", "write");
    const [one, two] = ["one", "two"].map((name) => startSession(computer, [tool], { name }));
    const request = { name: "tool", arguments: { key: "a" } };
    const holding = one?.call(request);
    const waiting = two?.call(request);
    await settle();
    two?.abort("Enough.");
    expect(await waiting).toMatchObject({ error_text: "Enough." });
    tool.calls[0]?.finish();
    await holding;
    const next = two?.call(request);
    await settle();
    tool.calls[1]?.finish("next");
    expect(await next).toMatchObject({ data: "next" });
  });

  it("tells a running tool, which ends it", async () => {
    const { tool, states, controller, call } = setUp();
    const result = call("c");
    await settle();
    const { signal } = tool.calls[0]?.runtime ?? {};
    signal?.addEventListener("abort", () => tool.calls[0]?.fail(new Error("stopped")));
    controller.abort();
    expect(await result).toMatchObject(cancelled);
    expect(states).toEqual(["c cancelled"]);
  });

  it("is not bothered by a signal that fires when it has ended", async () => {
    const { tool, controller, call } = setUp();
    const result = call("c");
    await settle();
    tool.calls[0]?.finish("done");
    expect(await result).toMatchObject({ data: "done" });
    controller.abort();
    expect(tool.calls[0]?.runtime.signal.aborted).toBe(false);
  });

  it("takes the whole batch with it", async () => {
    const { tool, session } = setUp();
    const controller = new AbortController();
    const request = { name: "tool", arguments: { key: "a" } };
    const batch = session.batch([request, request, request], { signal: controller.signal });
    await settle();
    tool.calls[0]?.runtime.signal.addEventListener("abort", () => tool.calls[0]?.fail("stopped"));
    controller.abort();
    const codes = (await batch).map(({ result }) => result.metadata.error_code);
    expect(codes).toEqual(["cancelled", "cancelled", "cancelled"]);
  });
});

describe("the path of a call", () => {
  it("lets an odd tool harm only its own calls", async () => {
    const odd = new MockTool({
      name: "odd",
      execution: {
        resourceKeys: () => {
          throw new Error("no idea");
        },
      },
    });
    const session = startSession(createMemoryComputer(), [odd, new MockTool({ name: "fine" })]);
    const outcomes = await session.batch([{ name: "odd" }, { name: "fine" }]);
    expect(outcomes.map(({ result }) => result)).toMatchObject([
      { error_text: "odd failed unexpectedly: no idea", metadata: { error_code: "internal" } },
      { type: "output" },
    ]);
  });
});
