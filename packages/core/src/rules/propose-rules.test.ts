import { describe, expect, it } from "vitest";
import { readPlainCommand } from "../test-support/plain-commands.ts";
import { proposeRules } from "./propose-rules.ts";
import { formatRule } from "./rule.ts";

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
