import { createMemoryComputer } from "@haft/computer/memory";
import type { ToolResult } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../../hosts/scripted-host.ts";
import { parseRule } from "../../rules/rule.ts";
import type { SessionOptions } from "../../session/session-options.ts";
import { startSession } from "../../test-support/start-session.ts";

function makeWrite(): MockTool {
  return new MockTool({
    name: "write",
    aliases: [{ name: "create_file" }],
    requires: { fs: { write: ["**"] } },
    execution: {
      resourceKeys: (args) => [{ key: (args as { path: string }).path, mode: "write" }],
    },
  });
}

interface Attempt {
  readonly result: ToolResult;
  readonly ran: boolean;
  /** Why the person was asked, if one was. */
  readonly asked: string | undefined;
}

async function attempt(
  rules: readonly string[],
  options: Partial<SessionOptions> = {},
): Promise<Attempt> {
  const tool = makeWrite();
  const host = createScriptedHost({ ask: "once" });
  const session = startSession(createMemoryComputer(), [tool], {
    host,
    rules: rules.map(parseRule),
    ...options,
  });
  const result = await session.call({ name: "create_file", arguments: { path: "src/a" } });
  return { result, ran: tool.callCount === 1, asked: host.asked[0]?.reason };
}

describe("rules", () => {
  it("runs a call that a rule allows", async () => {
    expect(await attempt(["write src/** allow"])).toMatchObject({ ran: true, asked: undefined });
  });

  it("refuses a call that a rule denies, and names the rule", async () => {
    expect(await attempt(["write src/** deny"])).toMatchObject({
      ran: false,
      asked: undefined,
      result: {
        error_text:
          'create_file was refused by the session rule "write src/** deny". It was not run.',
        metadata: { error_code: "denied" },
      },
    });
  });

  describe("on a capability (003:98, 003:163)", () => {
    const copy = new MockTool({ name: "copy", requires: { capabilities: ["clipboard"] } });
    const paste = new MockTool({
      name: "paste",
      requires: { fs: { write: ["**"] }, capabilities: ["clipboard"] },
      execution: { resourceKeys: () => [{ key: "a", mode: "write" }] },
    });
    const serve = new MockTool({
      name: "serve",
      requires: { fs: { read: ["**"] }, shell: [{ cmd: "server" }] },
      execution: { resourceKeys: () => [{ key: "a", mode: "read" }] },
    });
    const plain = new MockTool({ name: "plain" });
    const judge = async (name: string, ...rules: string[]) => {
      const session = startSession(createMemoryComputer(), [copy, paste, serve, plain], {
        host: createScriptedHost({ ask: "once" }),
        rules: rules.map(parseRule),
      });
      return (await session.judge({ name })).action;
    };

    it.each(["copy", "paste"])("decides about %s, which declares it", async (name) => {
      expect(await judge(name, "* * allow", "clipboard * deny")).toBe("deny");
      expect(await judge(name, "* * allow", "clipboard * ask")).toBe("ask");
      expect(await judge(name, `${name} * allow`, "clipboard * deny")).toBe("allow");
      expect(await judge(name, "* * allow", "camera * deny")).toBe("allow");
    });

    it("allows a tool only if it allows everything that the tool touches", async () => {
      expect(await judge("copy", "clipboard * allow")).toBe("allow");
      expect(await judge("paste", "clipboard * allow")).toBe("ask");
      expect(await judge("paste", "clipboard * allow", "fs.write a allow")).toBe("allow");
    });

    it("decides about programs that a tool starts by itself", async () => {
      expect(await judge("serve", "* * allow", "shell.run * deny")).toBe("deny");
      expect(await judge("serve", "* * allow", "shell.run git deny")).toBe("allow");
      expect(await judge("serve", "shell.run * allow")).toBe("ask");
    });

    it("leaves the other tools alone", async () => {
      const rules = ["* * allow", "clipboard * deny", "shell.run * deny"];
      expect(await judge("plain", ...rules)).toBe("allow");
    });
  });

  it("asks a person where a rule wants it", async () => {
    expect(await attempt(["write src/** ask"])).toMatchObject({
      ran: true,
      asked: 'the session rule "write src/** ask"',
    });
  });

  it("asks a person where no rule says anything", async () => {
    expect(await attempt([])).toMatchObject({ ran: true, asked: "no rule allows write" });
  });

  it("reads rules on an alias as rules on the tool", async () => {
    expect(await attempt(["create_file ** deny"])).toMatchObject({ ran: false });
  });

  it("takes a manifest's deny as final", async () => {
    const manifest = { rules: [parseRule("fs.write ** deny")] };
    expect(await attempt(["write src/a allow"], { manifest })).toMatchObject({
      ran: false,
      result: { error_text: expect.stringContaining("the manifest rule") },
    });
  });

  it("respects the project's stored rules", async () => {
    const computer = createMemoryComputer();
    await computer.openSession("other").rules.add("project", parseRule("write ** deny"));
    const tool = makeWrite();
    const session = startSession(computer, [tool], { rules: [] });
    expect(await session.call({ name: "write", arguments: { path: "a" } })).toMatchObject({
      error_text: expect.stringContaining("the project rule"),
    });
  });

  it("runs nothing when stored rules can't be read", async () => {
    const computer = createMemoryComputer();
    const storage = computer.openSession("default");
    const list = (): never => {
      throw new Error("line 3 is no rule");
    };
    const broken = {
      ...computer,
      openSession: () => ({ ...storage, rules: { ...storage.rules, list } }),
    };
    const tool = makeWrite();
    const session = startSession(broken, [tool]);
    expect(await session.call({ name: "write", arguments: { path: "a" } })).toMatchObject({
      error_text: "The session rules can't be read: line 3 is no rule",
      metadata: { error_code: "failed" },
    });
    expect(tool.callCount).toBe(0);
  });

  it("runs nothing when a rule's pattern makes no sense", async () => {
    expect(await attempt(["write [z-a] deny", "write ** allow"])).toMatchObject({
      ran: false,
      result: {
        error_text: expect.stringMatching(/^The rules are invalid: .*z-a/u),
        metadata: { error_code: "failed" },
      },
    });
  });

  it("sees rules stored meanwhile with the next turn", async () => {
    const computer = createMemoryComputer();
    const session = startSession(computer, [makeWrite()]);
    const write = (): Promise<ToolResult> =>
      session.call({ name: "write", arguments: { path: "a" } });
    expect((await write()).type).toBe("output");
    await computer.openSession("other").rules.add("project", parseRule("write ** deny"));
    expect((await write()).type).toBe("output");
    session.startStep();
    expect((await write()).type).toBe("error");
  });
});
