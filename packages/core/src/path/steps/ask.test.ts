import { createMemoryComputer, type MemoryComputer } from "@haft/computer/memory";
import type { ResourceKey } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { Computer } from "../../computer.ts";
import type { AskAnswer } from "../../hosts/host.ts";
import {
  createScriptedHost,
  type HostScript,
  type ScriptedHost,
} from "../../hosts/scripted-host.ts";
import type { Session } from "../../session/session.ts";
import { startSession } from "../../test-support/start-session.ts";

interface Arguments {
  readonly keys?: readonly ResourceKey[];
}

function setUp(ask: HostScript["ask"], computer: Computer = createMemoryComputer()) {
  const tool = new MockTool({
    name: "tool",
    requires: { fs: { read: ["/**"], write: ["/**"] }, net: { hosts: ["*"] } },
    execution: { resourceKeys: (args) => (args as Arguments).keys ?? [] },
  });
  const host: ScriptedHost = createScriptedHost(ask === undefined ? {} : { ask });
  const session: Session = startSession(computer, [tool], { host, rules: [] });
  const call = (...keys: ResourceKey[]) =>
    session.call({ id: "c1", name: "tool", arguments: { keys } as never });
  return { tool, host, session, call };
}

const write = (key: string): ResourceKey => ({ key, mode: "write" });

function storedRules(computer: MemoryComputer, scope: "session" | "project") {
  return computer.openSession("default").rules.list(scope);
}

describe("ask", () => {
  it("does not ask about a call that is already approved", async () => {
    const { host, session } = setUp("reject");
    const result = await session.call({ name: "tool", approved: true });
    expect(result).toMatchObject({ type: "output" });
    expect(host.asked).toEqual([]);
  });

  it("shows the person what will run, and why it is asked", async () => {
    const { host, session, call } = setUp("once");
    await call(write("src/a"));
    expect(host.asked).toEqual([
      {
        session: session.id,
        callId: "c1",
        name: "tool",
        tool: "tool",
        arguments: { keys: [write("src/a")] },
        reason: "no rule allows tool",
        rules: [{ permission: "tool", pattern: "src/a", action: "allow" }],
        wouldAllow: expect.any(Function),
        toWaiting: expect.any(Function),
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it("asks again after a yes that is for once", async () => {
    const { host, tool, call } = setUp("once");
    await call(write("a"));
    await call(write("a"));
    expect(host.asked).toHaveLength(2);
    expect(tool.callCount).toBe(2);
  });

  it.each(["session", "project"] as const)(
    "does not ask again after an always for the %s",
    async (scope) => {
      const computer = createMemoryComputer();
      const { host, tool, call } = setUp(scope, computer);
      await call(write("src/a"));
      await call(write("src/a"));
      await call(write("src/b"));
      expect(host.asked).toHaveLength(2);
      expect(tool.callCount).toBe(3);
      expect(storedRules(computer, scope).map(({ pattern }) => pattern)).toEqual([
        "src/a",
        "src/b",
      ]);
    },
  );

  it.each<[string, ResourceKey[], string[]]>([
    ["a file of the workspace", [write("src/a")], ["src/a"]],
    ["a file elsewhere", [write("/tmp/a")], ["/tmp/a"]],
    ["a name made of wildcards", [write("src/*[a]{b}?")], ["src/\\*\\[a\\]\\{b\\}\\?"]],
    ["a name like the home directory", [write("./~/a")], ["/workspace/~/a"]],
    ["a tree", [{ key: "src", mode: "read", tree: true }], ["src/**"]],
    ["the whole workspace", [{ key: ".", mode: "read", tree: true }], ["/workspace/**"]],
    ["several files, each once", [write("a"), write("b"), { key: "a", mode: "read" }], ["a", "b"]],
    ["a host", [{ key: "example.com", mode: "read", type: "host" }], ["example.com"]],
    ["nothing", [], ["*"]],
  ])("stores exactly what the call touched: %s", async (_, keys, patterns) => {
    const computer = createMemoryComputer();
    const { host, call } = setUp("project", computer);
    await call(...keys);
    const rules = patterns.map((pattern) => ({ permission: "tool", pattern, action: "allow" }));
    expect(storedRules(computer, "project")).toEqual(rules);
    await call(...keys);
    expect(host.asked).toHaveLength(1);
  });

  it("stores a path in full where a relative one would hold below several roots", async () => {
    const computer = createMemoryComputer();
    const { host, call } = setUp("session", { ...computer, roots: ["/workspace", "/other"] });
    await call(write("/workspace/a"));
    expect(storedRules(computer, "session").map(({ pattern }) => pattern)).toEqual([
      "/workspace/a",
    ]);
    await call(write("/other/a"));
    expect(host.asked).toHaveLength(2);
  });

  it("runs nothing that is rejected, and passes the person's words on", async () => {
    const { tool, call } = setUp(() => ({ answer: "reject", reason: "Use the other file." }));
    expect(await call(write("a"))).toMatchObject({
      error_text: "Use the other file.",
      metadata: { error_code: "rejected-by-user" },
    });
    expect(tool.callCount).toBe(0);
  });

  it('stores "never" as a denial for the session, and stops asking', async () => {
    const computer = createMemoryComputer();
    const { tool, host, call } = setUp("never", computer);
    expect(await call(write("a"))).toMatchObject({ metadata: { error_code: "rejected-by-user" } });
    expect(storedRules(computer, "session").map(({ action }) => action)).toEqual(["deny"]);
    expect(await call(write("a"))).toMatchObject({ metadata: { error_code: "denied" } });
    expect(host.asked).toHaveLength(1);
    expect(tool.callCount).toBe(0);
  });

  it("has a default message for a rejection without a reason", async () => {
    const { call } = setUp("reject");
    expect(await call()).toMatchObject({
      error_text: "The user rejected this call of tool. It was not run.",
    });
  });

  it("accepts only an explicit yes", async () => {
    const computer = createMemoryComputer();
    const { tool, call } = setUp(() => ({ answer: "always" }) as unknown as AskAnswer, computer);
    expect(await call(write("a"))).toMatchObject({ metadata: { error_code: "rejected-by-user" } });
    expect(tool.callCount).toBe(0);
    expect(storedRules(computer, "session")).toEqual([]);
  });

  it("runs nothing if the host breaks", async () => {
    const { tool, call } = setUp(() => {
      throw new Error("no screen");
    });
    expect(await call()).toMatchObject({
      error_text: "tool failed unexpectedly: no screen",
      metadata: { error_code: "internal" },
    });
    expect(tool.callCount).toBe(0);
  });

  it("runs what was approved even if the rule can't be stored, and warns", async () => {
    const computer = createMemoryComputer();
    const storage = computer.openSession("default");
    const add = (): Promise<never> => Promise.reject(new Error("disk full"));
    const { tool, session, call } = setUp("session", {
      ...computer,
      openSession: () => ({ ...storage, rules: { ...storage.rules, add } }),
    });
    const warnings: string[] = [];
    session.on("session:warning", ({ message }) => warnings.push(message));
    expect(await call()).toMatchObject({ type: "output" });
    expect(tool.callCount).toBe(1);
    expect(warnings).toEqual(["A session rule could not be stored: disk full"]);
  });

  it("refuses in a session that is not interactive", async () => {
    const tool = new MockTool({ name: "tool" });
    const session = startSession(createMemoryComputer(), [tool], { rules: [] });
    const states: string[] = [];
    session.on("tool:state", ({ state }) => states.push(state));
    expect(await session.call({ name: "tool" })).toMatchObject({
      error_text:
        "Not run: this call needs approval, and this session is not interactive. Reason: no rule allows tool. To allow it, add the rule: tool * allow",
      metadata: { error_code: "headless" },
    });
    expect(tool.callCount).toBe(0);
    expect(states).toEqual(["error"]);
  });
});
