import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost, type ScriptedHost } from "../../hosts/scripted-host.ts";
import type { Rule } from "../../rules/rule.ts";
import type { Session } from "../../session/session.ts";
import type { Watchdog, WatchdogCall } from "../../session/session-options.ts";
import { settle } from "../../test-support/settle.ts";
import { startSession } from "../../test-support/start-session.ts";

const manifest = { name: "agent" };
const askAlways: Rule[] = [{ permission: "*", pattern: "*", action: "ask" }];

function setUp(
  watchdog: Watchdog,
  rules?: Rule[],
): { tool: MockTool; host: ScriptedHost; session: Session } {
  const tool = new MockTool({
    name: "tool",
    parameters: { type: "object", properties: { n: { type: "integer" } } },
  });
  const host = createScriptedHost({ ask: "once" });
  const session = startSession(createMemoryComputer(), [tool], {
    host,
    manifest,
    watchdog,
    ...(rules && { rules }),
  });
  return { tool, host, session };
}

describe("watchdog", () => {
  it("is shown the tool, the validated arguments, the manifest and the session", async () => {
    const shown: WatchdogCall[] = [];
    const { session } = setUp((call) => {
      shown.push(call);
      return { action: "allow" };
    });
    await session.call({ id: "c1", name: "tool", arguments: { n: "5" } });
    expect(shown).toEqual([
      { session: session.id, callId: "c1", tool: "tool", arguments: { n: 5 }, manifest },
    ]);
  });

  it("lets the call go on", async () => {
    const { tool, host, session } = setUp(async () => ({ action: "allow" }));
    expect(await session.call({ name: "tool" })).toMatchObject({ type: "output" });
    expect(tool.callCount).toBe(1);
    expect(host.asked).toEqual([]);
  });

  it("refuses the call and tells the model why", async () => {
    const { tool, session } = setUp(() => ({ action: "deny", reason: "Looks like exfiltration." }));
    expect(await session.call({ name: "tool" })).toMatchObject({
      error_text: "Looks like exfiltration.",
      metadata: { error_code: "blocked-by-watchdog" },
    });
    expect(tool.callCount).toBe(0);
  });

  it("has a person asked, with its reason", async () => {
    const { tool, host, session } = setUp(() => ({ action: "ask", reason: "Looks odd." }));
    await session.call({ name: "tool" });
    expect(host.asked.map(({ reason }) => reason)).toEqual(["Looks odd."]);
    expect(tool.callCount).toBe(1);
  });

  it("does not undo what the rules want asked", async () => {
    const { host, session } = setUp(() => ({ action: "allow" }), askAlways);
    await session.call({ name: "tool" });
    expect(host.asked).toHaveLength(1);
  });

  it("still has a person asked if it gives no reason", async () => {
    const { host, session } = setUp(() => ({ action: "ask" }) as never, askAlways);
    await session.call({ name: "tool" });
    expect(host.asked.map(({ reason }) => reason)).toEqual(["the watchdog wants it"]);
  });

  it.each<[string, Watchdog, string]>([
    [
      "throws",
      () => {
        throw new Error("out of order");
      },
      "The watchdog failed (out of order), so nothing is let through.",
    ],
    [
      "rejects",
      () => Promise.reject(new Error("out of order")),
      "The watchdog failed (out of order), so nothing is let through.",
    ],
    [
      "says something else",
      () => ({ action: "maybe" }) as never,
      "The watchdog failed (it gave no verdict), so nothing is let through.",
    ],
    [
      "denies without a reason",
      () => ({ action: "deny" }) as never,
      "The watchdog refused this call and gave no reason.",
    ],
  ])("lets nothing through if it %s", async (_, watchdog, text) => {
    const { tool, session } = setUp(watchdog);
    expect(await session.call({ name: "tool" })).toMatchObject({
      error_text: text,
      metadata: { error_code: "blocked-by-watchdog" },
    });
    expect(tool.callCount).toBe(0);
  });

  it("lets nothing through if it says nothing", async () => {
    const { tool, session } = setUp((() => {}) as never);
    expect(await session.call({ name: "tool" })).toMatchObject({
      metadata: { error_code: "blocked-by-watchdog" },
    });
    expect(tool.callCount).toBe(0);
  });

  it("does not keep a call that nobody wants any more", async () => {
    const { tool, session } = setUp(() => new Promise(() => {}));
    const result = session.call({ name: "tool" });
    await settle();
    session.abort();
    expect(await result).toMatchObject({ metadata: { error_code: "cancelled" } });
    expect(tool.callCount).toBe(0);
  });
});
