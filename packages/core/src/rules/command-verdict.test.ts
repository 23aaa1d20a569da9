import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { CommandReading } from "../commands/command-reading.ts";
import { makeCommand, readPlainCommand } from "../test-support/plain-commands.ts";
import type { Verdict } from "./compile-rule.ts";
import { parseRule, type RuleScope } from "./rule.ts";
import { compileRules } from "./ruleset.ts";

const bash = new MockTool({ name: "bash" });

interface Setting {
  readonly tool?: MockTool;
  readonly sandboxed?: boolean;
  readonly scope?: RuleScope;
}

function judge(
  rules: readonly string[],
  command: string | CommandReading,
  { tool = bash, sandboxed = false, scope = "session" }: Setting = {},
): Verdict {
  const scoped = rules.map((text) => ({ scope, rule: parseRule(text) }));
  const reading = typeof command === "string" ? readPlainCommand(command, "/w") : command;
  const key = typeof command === "string" ? command : "";
  return compileRules(scoped, {
    roots: ["/w"],
    home: "/home/me",
    nativeId: () => undefined,
    isSandboxed: () => sandboxed,
    identify: (path: string) => path,
  }).judge(tool, [{ type: "command", key, mode: "write", tree: false, cwd: "/w", reading }]);
}

describe("the verdict on a command", () => {
  it.each([
    [["bash git log allow"], "git log -1", "allow"],
    [["bash git log allow"], "git logout", "ask"],
    [["bash git allow", "bash git push deny"], "git push", "deny"],
    [["bash git deny", "bash git log allow"], "git log", "allow"],
    [["bash git deny", "bash git log allow"], "git status", "deny"],
    [["bash git log allow"], "git log ; rm x", "ask"],
    [["bash git log allow", "bash rm deny"], "git log ; /bin/rm x", "deny"],
    [["bash git log allow", "bash ls allow"], "git log ; ls", "allow"],
    [["bash git allow"], "git $X", "ask"],
    [["shell.run git allow"], "git log", "allow"],
    [["* git allow"], "git log", "allow"],
    [["* * allow"], "git log", "allow"],
    [["bash ls ask", "bash * allow"], "ls", "ask"],
    [["read ** allow"], "ls", "ask"],
    [[], "ls", "ask"],
    [["bash * allow"], "", "ask"],
  ])("with %j on %j is %s", (rules, command, action) => {
    expect(judge(rules, command).action).toBe(action);
  });

  it.each([
    [["bash ls allow"], "ask"],
    [["bash ls allow", "write out allow"], "allow"],
    [["bash ls allow", "fs.write out allow"], "allow"],
    [["bash ls allow", "bash out allow"], "ask"],
    [["bash * allow", "write out deny"], "deny"],
  ])("with %j, of one that writes a file, is %s", (rules, action) => {
    expect(judge(rules, "ls > out").action).toBe(action);
  });

  it("is to ask at least where something is not certain", () => {
    const reading = { ...readPlainCommand("ls"), doubts: ["it defines a function"] };
    expect(judge(["* * allow"], reading)).toEqual({
      action: "ask",
      decidedBy: undefined,
      why: "it defines a function",
    });
    expect(judge(["bash ls deny"], reading).action).toBe("deny");
  });

  it("is to deny what a manifest denies, whatever else is certain", () => {
    const reading = { ...readPlainCommand("ls"), doubts: ["unsure"] };
    expect(judge(["bash ls deny"], reading, { scope: "manifest" }).action).toBe("deny");
  });

  it("finds a denied program in what could not be read", () => {
    const reading: CommandReading = {
      doubts: ["it does not parse"],
      commands: [],
      writes: [],
      looseWords: ["if", "/bin/rm"],
      readsOnly: false,
    };
    expect(judge(["bash rm deny"], reading).action).toBe("deny");
    expect(judge(["bash * allow"], reading).action).toBe("ask");
  });

  it("is to deny a denied wrapper, however well the command inside is allowed", () => {
    const part = { ...makeCommand(["git", "log", "--oneline"]), wrappers: [["timeout", "5"]] };
    const reading = { ...readPlainCommand(""), commands: [part] };
    expect(judge(["bash git log --oneline allow"], reading).action).toBe("allow");
    const rules = ["bash git log --oneline allow", "bash timeout deny"];
    expect(judge(rules, reading).action).toBe("deny");
  });

  it("does not let a wrapper's rule cover what it wraps", () => {
    const part = { ...makeCommand(["rm", "x"]), wrappers: [["timeout", "5"]] };
    const reading = { ...readPlainCommand(""), commands: [part] };
    expect(judge(["bash timeout * allow"], reading).action).toBe("ask");
  });

  it("is to deny a write that is refused to everybody", () => {
    const writes = [{ path: "/w/.haft/rules", refusal: "it decides what is allowed" }];
    const reading = { ...readPlainCommand("ls"), writes };
    expect(judge(["* * allow"], reading)).toMatchObject({
      action: "deny",
      why: "it decides what is allowed",
    });
  });

  it("asks about a write to an unknown path", () => {
    const reading = { ...readPlainCommand("ls"), writes: [{ path: undefined }] };
    expect(judge(["* * allow"], reading).action).toBe("ask");
  });

  it("respects rules for the sandbox only there", () => {
    const rules = ["bash@sandbox npm allow"];
    expect(judge(rules, "npm test", { sandboxed: true }).action).toBe("allow");
    expect(judge(rules, "npm test").action).toBe("ask");
  });

  it("holds for every tool that runs commands", () => {
    const tool = new MockTool({ name: "job_start" });
    expect(judge(["bash rm deny"], "rm x", { tool }).action).toBe("deny");
    expect(judge(["job_start npm allow"], "npm start", { tool }).action).toBe("allow");
  });

  it("tells why it asks", () => {
    expect(judge([], "git $X").why).toBe("a word of it is not literal");
    expect(judge([], "git log").why).toBe('no rule allows "git log"');
    expect(judge(["bash ls allow"], "ls > out").why).toContain("/w/out");
  });
});
