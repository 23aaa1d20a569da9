import { describe, expect, it } from "vitest";
import { readPlainCommand } from "../test-support/plain-commands.ts";
import { writeTool } from "./command-verdict.ts";
import { proposeRules, widenRules } from "./propose-rules.ts";
import { formatRule, parseRule, type Rule } from "./rule.ts";
import { compileRules } from "./ruleset.ts";

function propose(command: string): string[] {
  const reading = readPlainCommand(command, "/w");
  const subject = { type: "command", key: command, mode: "write", tree: false, reading } as const;
  return proposeRules({ tool: { id: "bash" }, subjects: [subject] }, ["/w"]).map(formatRule);
}

describe("proposing rules for a command", () => {
  it.each([
    ["git log -1", ["bash git log -1 allow"]],
    ["ls ; ls ; pwd", ["bash ls allow", "bash pwd allow"]],
    ["ls *.ts", ["bash ls \\*.ts allow"]],
    ["ls > out.txt", ["bash ls allow", "write out.txt allow"]],
    ["rm $X", []],
  ])("makes of %j exactly %j", (command, rules) => {
    expect(propose(command)).toEqual(rules);
  });
});

describe("widenRules", () => {
  it("covers the files beside a file, and nothing else", () => {
    const lines = [
      "write src/a.ts allow",
      "edit a.ts allow",
      "write .haft/rules allow",
      "write src/.npmrc allow",
      "bash git status allow",
      "grep src/** allow",
      "crm find allow",
    ];
    expect(widenRules(lines.map(parseRule)).map(formatRule)).toEqual([
      "write src/* allow",
      "edit *.ts allow",
      ...lines.slice(2),
    ]);
  });

  it("allows nothing in directories below", () => {
    const base = {
      roots: ["/w"],
      home: undefined,
      nativeId: () => undefined,
      isSandboxed: () => false,
      identify: (path: string) => path,
    };
    const verdicts = (line: string): string[] => {
      const [rule] = widenRules([parseRule(line)]);
      const scoped = { rule: rule as Rule, scope: "session", isUntrusted: false } as const;
      const ruleset = compileRules([scoped], base);
      return ["/w/b.ts", "/w/src/b.ts", "/w/src/deep/b.ts", "/w/.haft/rules"].map(
        (key) =>
          ruleset.judge(writeTool, [{ type: "file", key, mode: "write", tree: false }]).action,
      );
    };
    expect(verdicts("write src/a.ts allow")).toEqual(["ask", "allow", "ask", "ask"]);
    expect(verdicts("write a.ts allow")).toEqual(["allow", "ask", "ask", "ask"]);
  });
});
