import { createMemoryComputer } from "@haft/computer/memory";
import { ToolError } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost, type ScriptedHost } from "../../hosts/scripted-host.ts";
import type { Rule } from "../../rules/rule.ts";
import type { Session } from "../../session/session.ts";
import type { SessionOptions } from "../../session/session-options.ts";
import { readPlainCommands } from "../../test-support/plain-commands.ts";
import { settle } from "../../test-support/settle.ts";
import { startSession } from "../../test-support/start-session.ts";
import type { Watchdog, WatchdogCall } from "../../watchdog/watchdog.ts";

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
      expect(call.earlier).toEqual([]);
      expect(call.secrets).toEqual([]);
      return { action: "allow" };
    });
    await session.call({ id: "c1", name: "tool", arguments: { n: "5" } });
    expect({ ...shown[0] }).toEqual({
      session: session.id,
      callId: "c1",
      tool: "tool",
      kind: "other",
      startedAt: expect.any(Number),
      arguments: { n: 5 },
      manifest,
      roots: ["/workspace"],
      home: undefined,
      subjects: [],
    });
    expect(shown[0]?.command).toBeUndefined();
    expect(shown[0]?.isSecret("/workspace/.env")).toBe(true);
  });

  it("is shown what commands would do, and which secrets are in the arguments", async () => {
    const shown: WatchdogCall[] = [];
    const run = new MockTool({
      name: "run",
      requires: { shell: [{ cmd: "*" }] },
      execution: { resourceKeys: () => [{ type: "command", key: "ls ; $X", mode: "write" }] },
    });
    const session = startSession(readPlainCommands(createMemoryComputer()), [run], {
      secrets: { API_KEY: "k3y-0f-the-house" },
      watchdog: (call) => {
        shown.push(call);
        return { action: "allow" };
      },
    });
    await session.call({ name: "run", arguments: { text: "it is k3y-0f-the-house" } });
    expect(shown[0]?.secrets).toEqual(["API_KEY"]);
    expect(shown[0]?.command?.commands.map(({ words }) => words)).toEqual([["ls"], [undefined]]);
    expect(shown[0]?.command).toBe(shown[0]?.subjects[0]?.reading);
  });

  it("tells calls that are the same by their identity", async () => {
    const identities: string[] = [];
    const { session } = setUp(({ identity }) => {
      identities.push(identity);
      return { action: "allow" };
    });
    for (const args of ['{"n":1}', { n: 1 }, { n: 2 }]) {
      await session.call({ name: "tool", arguments: args });
    }
    expect(identities[0]).toBe(identities[1]);
    expect(identities[0]).not.toBe(identities[2]);
  });

  it("is Haft's own unless another is given or it is switched off", async () => {
    const failing = new MockTool({
      name: "failing",
      error: new ToolError("not-found", "Nothing."),
    });
    const codes = async (options: Partial<SessionOptions>): Promise<(string | undefined)[]> => {
      const session = startSession(createMemoryComputer(), [failing], options);
      const found: (string | undefined)[] = [];
      for (let times = 0; times < 4; times++) {
        found.push((await session.call({ name: "failing" })).metadata.error_code);
      }
      return found.slice(-2);
    };
    expect(await codes({})).toEqual(["not-found", "blocked-by-watchdog"]);
    expect(await codes({ watchdog: "off" })).toEqual(["not-found", "not-found"]);
    expect(await codes({ watchdog: () => ({ action: "allow" }) })).toEqual([
      "not-found",
      "not-found",
    ]);
  });

  it("accepts any thenable as an asynchronous verdict", async () => {
    // biome-ignore lint/suspicious/noThenProperty: some promises are not the platform's own
    const late = { then: (settle: (verdict: object) => void) => settle({ action: "allow" }) };
    const { session } = setUp((() => late) as never);
    expect(await session.call({ name: "tool" })).toMatchObject({ type: "output" });
  });

  it("lets the call continue", async () => {
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

  it("asks a person, with its reason", async () => {
    const { tool, host, session } = setUp(() => ({ action: "ask", reason: "Looks odd." }));
    await session.call({ name: "tool" });
    expect(host.asked.map(({ reason }) => reason)).toEqual(["Looks odd."]);
    expect(tool.callCount).toBe(1);
  });

  describe('whose question is answered with "always" (003:177)', () => {
    const shellTool = new MockTool({
      name: "bash",
      parameters: { type: "object", properties: { command: { type: "string" } } },
      requires: { shell: [{ cmd: "*" }] },
      execution: {
        resourceKeys: (args) => [
          { type: "command", key: (args as { command: string }).command, mode: "write" },
        ],
      },
    });
    const open = (
      answer: "session" | "project" | "never",
      options: Partial<SessionOptions> = {},
    ): { host: ScriptedHost; run: (command: string) => Promise<string | undefined> } => {
      const host = createScriptedHost({ ask: answer });
      const computer = readPlainCommands(createMemoryComputer());
      const session = startSession(computer, [shellTool], { host, ...options });
      const run = async (command: string) =>
        (await session.call({ name: "bash", arguments: { command } })).metadata.error_code;
      return { host, run };
    };
    const allowed: Rule[] = [{ permission: "bash", pattern: "git", action: "allow" }];

    it.each(["session", "project"] as const)("does not ask again in the %s", async (answer) => {
      const { host, run } = open(answer, { rules: [] });
      expect(await run("git push --force")).toBeUndefined();
      expect(host.asked[0]?.rules).toEqual([
        { permission: "bash", pattern: "git push --force", action: "allow" },
        {
          permission: "watchdog:history-rewriting",
          pattern: "bash git push --force",
          action: "allow",
        },
      ]);
      expect(await run("git push --force")).toBeUndefined();
      expect(host.asked).toHaveLength(1);
    });

    it("asks about every other command of that shape, and stores nothing else", async () => {
      const { host, run } = open("session", { rules: allowed });
      await run("git push --force");
      expect(host.asked[0]?.rules.map(({ permission }) => permission)).toEqual([
        "watchdog:history-rewriting",
      ]);
      const others = ["git push --force origin", "git push  --force", "git stash clear"];
      for (const other of others) await run(other);
      expect(host.asked).toHaveLength(1 + others.length);
    });

    it("asks again if the same command gets another shape", async () => {
      let shape = "one";
      const watchdog: Watchdog = () => ({ action: "ask", reason: "Odd.", shape });
      const { host, run } = open("session", { rules: allowed, watchdog });
      await run("git log");
      await run("git log");
      expect(host.asked).toHaveLength(1);
      shape = "two";
      await run("git log");
      expect(host.asked).toHaveLength(2);
    });

    it("knows a question without a shape by its reason", async () => {
      let reason = "Odd.";
      const watchdog: Watchdog = () => ({ action: "ask", reason });
      const { host, run } = open("session", { rules: allowed, watchdog });
      await run("git log");
      await run("git log");
      expect(host.asked).toHaveLength(1);
      reason = "Very odd.";
      await run("git log");
      expect(host.asked).toHaveLength(2);
    });

    it("never approves what the watchdog refuses", async () => {
      const rules: Rule[] = [
        { permission: "*", pattern: "*", action: "allow" },
        {
          permission: "watchdog:destructive-delete",
          pattern: "bash rm -rf /",
          action: "allow",
        },
      ];
      const { run } = open("session", { rules });
      expect(await run("rm -rf /")).toBe("blocked-by-watchdog");
    });

    it("is not approved by the manifest of an agent", async () => {
      const approval: Rule = {
        permission: "watchdog:history-rewriting",
        pattern: "bash git push --force",
        action: "allow",
      };
      const { host, run } = open("session", { manifest: { rules: [...allowed, approval] } });
      await run("git push --force");
      expect(host.asked).toHaveLength(1);
    });

    it("stores no rule with a secret in it", async () => {
      const { host, run } = open("session", {
        rules: allowed,
        secrets: { KEY: "k3y-0f-the-house" },
        watchdog: () => ({ action: "ask", reason: "Odd.", shape: "odd" }),
      });
      await run("git log k3y-0f-the-house");
      await run("git log k3y-0f-the-house");
      expect(host.asked.map(({ rules }) => rules)).toEqual([[], []]);
    });

    it("refuses the same call from then on after a never", async () => {
      const { host, run } = open("never", { rules: allowed });
      expect(await run("git push --force")).toBe("rejected-by-user");
      expect(await run("git push --force")).toBe("denied");
      expect(await run("git log")).toBeUndefined();
      expect(host.asked).toHaveLength(1);
    });
  });

  it("does not undo what the rules want asked", async () => {
    const { host, session } = setUp(() => ({ action: "allow" }), askAlways);
    await session.call({ name: "tool" });
    expect(host.asked).toHaveLength(1);
  });

  it("still asks a person if it gives no reason", async () => {
    const { host, session } = setUp(() => ({ action: "ask" }) as never, askAlways);
    await session.call({ name: "tool" });
    expect(host.asked.map(({ reason }) => reason)).toEqual(["the watchdog requires approval"]);
  });

  it.each<[string, Watchdog, string]>([
    [
      "throws",
      () => {
        throw new Error("out of order");
      },
      "The watchdog failed (out of order), so the call was refused.",
    ],
    [
      "rejects",
      () => Promise.reject(new Error("out of order")),
      "The watchdog failed (out of order), so the call was refused.",
    ],
    [
      "says something else",
      () => ({ action: "maybe" }) as never,
      "The watchdog failed (it returned no verdict), so the call was refused.",
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

  it("ends an aborted call", async () => {
    const { tool, session } = setUp(() => new Promise(() => {}));
    const result = session.call({ name: "tool" });
    await settle();
    session.abort();
    expect(await result).toMatchObject({ metadata: { error_code: "cancelled" } });
    expect(tool.callCount).toBe(0);
  });
});
