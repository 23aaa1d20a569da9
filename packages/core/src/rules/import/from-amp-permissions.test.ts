import { describe, expect, it } from "vitest";
import { parseCommentedJson } from "../../json/parse-commented-json.ts";
import { formatRule } from "../rule.ts";
import { fromAmpPermissions } from "./from-amp-permissions.ts";

function importList(list: readonly unknown[]) {
  const { rules, skipped, notes } = fromAmpPermissions({ "amp.permissions": list });
  return { rules: rules.map(formatRule), skipped, notes };
}

const bash = (cmd: unknown, action: string) => ({ tool: "Bash", matches: { cmd }, action });

describe("fromAmpPermissions", () => {
  it("reads a settings file as people have them", () => {
    const settings = parseCommentedJson(`{
      "amp.notifications.enabled": false,
      "amp.permissions": [
        // Only after a look at it
        { "tool": "Bash", "matches": { "cmd": "*git commit*" }, "action": "ask" },
        { "tool": "Bash", "matches": { "cmd": ["*python *", "*python3 *"] }, "action": "reject" },
        { "tool": "Bash", "matches": { "cmd": ["git status", "git diff*"] }, "action": "allow" },
        { "tool": "mcp__playwright_*", "action": "allow" },
        { "tool": "edit_file", "matches": { "path": "*/migrations/*" }, "action": "reject", "message": "no" },
        { "tool": "create_file", "action": "ask" },
        { "tool": "*", "action": "delegate", "to": "my-helper" },
      ],
    }`);
    const { rules, skipped, notes } = fromAmpPermissions(settings);
    expect(rules.map(formatRule)).toEqual([
      "bash *git commit* ask",
      "bash *python deny",
      "bash *python3 deny",
      "bash git status allow",
      "bash git diff* allow",
      "bash git status * * ask",
      "mcp:playwright:* * allow",
      "edit **/migrations/** deny",
      "multi_edit **/migrations/** deny",
      "apply_patch **/migrations/** deny",
      "write * ask",
    ]);
    expect(skipped).toEqual([
      {
        entry: expect.stringContaining("my-helper"),
        why: expect.stringContaining("--watchdog my-helper"),
      },
    ]);
    expect(notes.map(({ why }) => why)).toEqual([
      expect.stringContaining("only mentioned"),
      expect.stringContaining("only mentioned"),
    ]);
  });

  it.each<[unknown, string[]]>([
    [{ tool: "Bash", action: "allow" }, ["bash * allow"]],
    [bash("npm run *", "allow"), ["bash npm run * allow"]],
    [bash("/^git log/", "allow"), ["bash git log* allow"]],
    [bash("/rm -rf/", "reject"), ["bash *rm -rf* deny"]],
    [bash("/^git (status|log)$/", "reject"), ["bash * deny"]],
    [bash({ not: "text" }, "ask"), ["bash * ask"]],
    [{ tool: "shell_command", matches: { command: "ls *" }, action: "allow" }, ["bash ls * allow"]],
    [{ tool: "Read", matches: { path: "/etc/*" }, action: "reject" }, ["read /etc/** deny"]],
    [{ tool: "Read", matches: { path: "lib/**" }, action: "allow" }, ["read lib/** allow"]],
    [{ tool: "Read", matches: { path: "*.env" }, action: "reject" }, ["read **/*.env deny"]],
    [{ tool: "Read", matches: { path: "a*b/c" }, action: "reject" }, ["read a*/** deny"]],
    [{ tool: "Read", matches: { path: "x/*key*" }, action: "ask" }, ["read x/**/*key*/** ask"]],
    [
      { tool: "read_web_page", matches: { url: "https://a.example/*" }, action: "allow" },
      ["web_fetch a.example allow"],
    ],
    [
      { tool: "read_web_page", matches: { url: "https://a.example/x/*" }, action: "reject" },
      ["web_fetch a.example deny"],
    ],
    [
      { tool: "read_web_page", matches: { url: "*evil.example*" }, action: "reject" },
      ["web_fetch *evil.example* deny"],
    ],
    [{ tool: "read_web_page", matches: { url: "*" }, action: "allow" }, ["web_fetch * allow"]],
    [{ tool: "mcp__github__push", action: "reject" }, ["mcp:github:push * deny"]],
    [{ tool: "*", action: "ask" }, ["* * ask"]],
    [{ ...bash("npm *", "reject"), context: "subagent" }, ["bash npm deny"]],
    [{ tool: "Bash", matches: { cmd: "rm *", cwd: "/x" }, action: "reject" }, ["bash rm deny"]],
  ])("converts %j to %j", (entry, rules) => {
    expect(importList([entry])).toMatchObject({ rules, skipped: [] });
  });

  it.each<[unknown, string]>([
    [{ tool: "Bash", matches: { cmd: "rm *", cwd: "/x" }, action: "allow" }, "can't look at cwd"],
    [{ tool: "Bash", matches: { cwd: "/x" }, action: "allow" }, "can't look at cwd"],
    [bash("/^git (status|log)$/", "allow"), "texts with stars"],
    [bash(["git log", "a && b"], "allow"), "more than plain words"],
    [{ ...bash("git log", "allow"), context: "subagent" }, "only in a subagent"],
    [
      { tool: "read_web_page", matches: { url: "https://a.example/x/*" }, action: "allow" },
      "whole host",
    ],
    [{ tool: "Read", matches: { path: "src/[ab]" }, action: "allow" }, "unclear"],
    [{ tool: "oracle", action: "allow" }, "no such tool"],
    [{ tool: "mcp__*", action: "ask" }, "one MCP server"],
    [{ tool: "Bash", action: "perhaps" }, "no known action"],
    [{ action: "allow" }, "names no tool"],
    ["Bash", "names no tool"],
  ])("makes no rule of %j and says why", (entry, why) => {
    expect(importList([entry])).toEqual({
      rules: [],
      skipped: [{ entry: JSON.stringify(entry), why: expect.stringContaining(why) }],
      notes: [],
    });
  });

  it("says that a rule on MCP servers by a part of their name holds for one of them", () => {
    const { rules, notes } = importList([{ tool: "mcp__git*", action: "reject" }]);
    expect(rules).toEqual(["mcp:git:* * deny"]);
    expect(notes).toMatchObject([{ why: expect.stringContaining("one MCP server") }]);
  });

  it("drops what an earlier entry would have decided otherwise", () => {
    const { rules, skipped } = importList([
      bash("git push*", "reject"),
      bash("git push origin*", "allow"),
      bash("git *", "allow"),
      { tool: "Bash", action: "ask" },
      bash("npm *", "allow"),
    ]);
    expect(rules).toEqual(["bash git push* deny", "bash git * allow", "bash * ask"]);
    expect(skipped.map(({ entry }) => entry)).toEqual([
      JSON.stringify(bash("git push origin*", "allow")),
      JSON.stringify(bash("npm *", "allow")),
    ]);
  });

  it("takes the commands that older settings allow, and not everything", () => {
    const settings = {
      "amp.commands.allowlist": ["go test *", 1],
      "amp.dangerouslyAllowAll": true,
    };
    const { rules, skipped } = fromAmpPermissions(settings);
    expect(rules.map(formatRule)).toEqual(["bash go test * allow"]);
    expect(skipped.map(({ entry }) => entry)).toEqual(["1", "amp.dangerouslyAllowAll"]);
  });

  it.each([undefined, null, [], {}, { "amp.permissions": {} }])(
    "finds nothing in %j",
    (settings) => {
      expect(fromAmpPermissions(settings)).toEqual({ rules: [], skipped: [], notes: [] });
    },
  );
});
