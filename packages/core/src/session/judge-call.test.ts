import { createMemoryComputer } from "@haft/computer/memory";
import type { ResourceKey } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { parseRule } from "../rules/rule.ts";
import { readPlainCommands } from "../test-support/plain-commands.ts";
import { startSession } from "../test-support/start-session.ts";
import type { Session } from "./session.ts";
import type { SessionOptions } from "./session-options.ts";

interface Arguments {
  readonly command: string;
  readonly cwd?: string;
}

function open(rules: readonly string[], options: Partial<SessionOptions> = {}) {
  const bash = new MockTool({
    name: "bash",
    parameters: {
      type: "object",
      properties: { command: { type: "string" }, cwd: { type: "string" } },
      required: ["command"],
    },
    requires: { fs: { write: ["{workspace}/**"] }, shell: [{ cmd: "*" }] },
    execution: {
      resourceKeys: (args): ResourceKey[] => {
        const { command, cwd } = args as Arguments;
        const key = { type: "command", key: command, mode: "write" } as const;
        return [cwd === undefined ? key : { ...key, cwd }];
      },
    },
  });
  const computer = readPlainCommands(createMemoryComputer());
  const session = startSession(computer, [bash], { rules: rules.map(parseRule), ...options });
  return { bash, session };
}

function judge(session: Session, args: Record<string, string>) {
  return session.judge({ name: "bash", arguments: args });
}

describe("judging a call", () => {
  it("tells what a rule says, and runs nothing", async () => {
    const { bash, session } = open(["bash git log allow"]);
    expect(await judge(session, { command: "git log" })).toEqual({
      action: "allow",
      stage: "session",
      rule: "bash git log allow",
      why: 'the session rule "bash git log allow"',
      remedy: null,
      unchecked: [],
    });
    expect(bash.callCount).toBe(0);
  });

  it("says ask where no rule fits, also without anybody to ask", async () => {
    expect(await judge(open([]).session, { command: "make" })).toEqual({
      action: "ask",
      stage: "none",
      rule: null,
      why: 'no rule allows "make"',
      remedy: "To allow it, add the rule: bash make allow",
      unchecked: [],
    });
  });

  it("names a manifest's deny", async () => {
    const { session } = open(["bash rm allow"], {
      manifest: { rules: [parseRule("bash rm deny")] },
    });
    expect(await judge(session, { command: "rm x" })).toMatchObject({
      action: "deny",
      stage: "manifest",
      rule: "bash rm deny",
    });
  });

  it.each([
    ["arguments", { comand: "ls" }],
    ["capability", { command: "ls", cwd: "/etc" }],
    ["capability", { command: "ls > /etc/passwd" }],
  ])("is refused by its %s", async (stage, args) => {
    expect(await judge(open(["* * allow"]).session, args)).toMatchObject({
      action: "deny",
      stage,
      rule: null,
    });
  });

  it("is refused where the grant names other commands", async () => {
    const { session } = open(["* * allow"], {
      ceiling: { shell: [{ cmd: "git", args: ["log"] }], fs: { write: ["**"] } },
    });
    expect((await judge(session, { command: "git log" })).action).toBe("allow");
    expect(await judge(session, { command: "git push" })).toMatchObject({
      action: "deny",
      stage: "capability",
      why: "bash may not run git push in this session.",
    });
    expect((await judge(session, { command: "git $X" })).stage).toBe("capability");
  });

  it("asks the watchdog too, which can only be stricter", async () => {
    const say = (action: "ask" | "deny") => ({ action, reason: "I smell smoke." }) as const;
    const denied = open(["* * allow"], { watchdog: () => say("deny") });
    expect(await judge(denied.session, { command: "ls" })).toEqual({
      action: "deny",
      stage: "watchdog",
      rule: null,
      why: "I smell smoke.",
      remedy: null,
      unchecked: [],
    });
    const asked = open(["* * allow"], { watchdog: () => say("ask") });
    expect(await judge(asked.session, { command: "ls" })).toMatchObject({
      action: "ask",
      stage: "watchdog",
    });
    const ruled = open(["bash ls deny"], { watchdog: () => ({ action: "allow" }) });
    expect((await judge(ruled.session, { command: "ls" })).action).toBe("deny");
  });
});

describe("listing rules", () => {
  it("tells all of them with who made each", () => {
    const { session } = open(["bash ls allow"], {
      manifest: { rules: [parseRule("bash rm deny")] },
    });
    const scopes = session.rules().map(({ scope }) => scope);
    expect(scopes.slice(0, 3)).toEqual(["manifest", "session", "default"]);
  });
});
