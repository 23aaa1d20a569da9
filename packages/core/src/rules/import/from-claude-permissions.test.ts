import { describe, expect, it } from "vitest";
import { formatRule } from "../rule.ts";
import { fromClaudePermissions } from "./from-claude-permissions.ts";

interface Lists {
  readonly allow?: readonly unknown[];
  readonly ask?: readonly unknown[];
  readonly deny?: readonly unknown[];
}

function importLists(permissions: Lists) {
  const { rules, skipped, notes } = fromClaudePermissions({ permissions });
  return { rules: rules.map(formatRule), skipped, notes };
}

describe("fromClaudePermissions", () => {
  it.each<[string, string[]]>([
    ["Bash", ["bash * allow"]],
    ["Bash(*)", ["bash * allow"]],
    ["Bash(git log:*)", ["bash git log * allow"]],
    ["Bash(git log *)", ["bash git log * allow"]],
    ["Bash(npm run test*)", ["bash npm run test* allow"]],
    ["Bash(npm run test)", ["bash npm run test allow", "bash npm run test * * ask"]],
    [
      'Bash(git commit -m "be kind")',
      ['bash git commit -m "be kind" allow', 'bash git commit -m "be kind" * * ask'],
    ],
    ["Bash(git * main)", ["bash git * main allow", "bash git * main * * ask"]],
    ["Read(./src/**)", ["read src/** allow"]],
    ["Read(src/**)", ["read src/** allow"]],
    ["Read(/src/**/*.ts)", ["read src/**/*.ts allow"]],
    ["Read(~/.zshrc)", ["read ~/.zshrc allow"]],
    ["Read(//etc/hosts)", ["read /etc/hosts allow"]],
    ["Edit(*.md)", ["edit **/*.md allow", "multi_edit **/*.md allow"]],
    ["Edit(docs/)", ["edit **/docs/** allow", "multi_edit **/docs/** allow"]],
    ["Write(a{b,c})", ["write **/a\\{b\\,c\\} allow"]],
    ["Glob", ["glob * allow"]],
    ["LS(src)", ["glob **/src allow"]],
    ["WebFetch(domain:Example.com)", ["web_fetch example.com allow"]],
    ["WebFetch(domain:*.example.com)", ["web_fetch *.example.com allow"]],
    ["WebFetch", ["web_fetch * allow"]],
    ["WebSearch", ["web_search * allow"]],
    ["mcp__github__create_issue", ["mcp:github:create_issue * allow"]],
    ["mcp__github", ["mcp:github:* * allow"]],
    ["mcp__github__*", ["mcp:github:* * allow"]],
    ["Task", ["task * allow"]],
  ])("allows %s as %j", (entry, rules) => {
    expect(importLists({ allow: [entry] })).toMatchObject({ rules, skipped: [] });
  });

  it.each([
    ["Bash(cd x && npm test)", "more than plain words"],
    ["Bash(npm test | tee log)", "more than plain words"],
    ["Bash(echo $HOME:*)", "more than plain words"],
    ["Bash(ls a?)", "more than plain words"],
    ["Bash(rm ~/x:*)", "more than plain words"],
    ["Bash(echo `id`)", "more than plain words"],
    ['Bash(echo "a *":*)', "more than plain words"],
    ["Bash(NODE_ENV=test npm test:*)", "variables"],
    ["Bash(* --version)", "start with the program"],
    ["Read(../other/**)", "outside the workspace"],
    ["Read(!src/x)", "exception"],
    ["Read([z-a])", "is invalid"],
    ["WebFetch(https://example.com)", "domain:HOST"],
    ["Task(Explore)", "can't distinguish its uses"],
    ["mcp__*", "one MCP server"],
    ["mcp__git*__push", "one MCP server"],
    ["NotebookEdit", "no such tool"],
    ["constructor", "no such tool"],
    ["Bash(git", "TOOL(PATTERN)"],
    [7, "TOOL(PATTERN)"],
  ])("allows nothing for %s and says why", (entry, why) => {
    expect(importLists({ allow: [entry] })).toEqual({
      rules: [],
      skipped: [{ entry: String(entry), why: expect.stringContaining(why) }],
      notes: [],
    });
  });

  it.each<[string, string[], boolean]>([
    ["Bash(rm -rf:*)", ["bash rm -rf deny"], false],
    ["Bash(sudo *)", ["bash sudo deny"], false],
    ["Bash(rm -rf /*)", ["bash rm -rf /* deny"], false],
    ["Bash(npm publish)", ["bash npm publish deny"], true],
    ["Bash(git push * --force)", ["bash git push deny"], true],
    ["Bash(curl * | sh)", ["bash curl deny"], true],
    ["Bash(rm -rf ~/x)", ["bash rm -rf deny"], true],
    ["Bash(A=1 npm test:*)", ["bash npm test deny"], true],
    ["Bash(git checkout v*.0 x)", ["bash git checkout v* deny"], true],
    ["Bash(* --force)", ["bash * deny"], true],
    ["Bash(*secret*)", ["bash * deny"], true],
    ["Bash(* | sh)", ["bash * deny"], true],
    ["Read(./.env)", ["fs.read .env/** deny"], false],
    ["Read(.env.*)", ["fs.read **/.env.*/** deny"], false],
    ["Read(./secrets/**)", ["fs.read secrets/** deny"], false],
    ["Read([z-a])", ["fs.read ** deny"], true],
    ["Edit(~/.ssh/**)", ["fs.write ~/.ssh/** deny"], false],
    ["Write", ["write * deny"], false],
    ["WebFetch(domain:evil.example)", ["web_fetch evil.example deny"], false],
    ["WebFetch(x)", ["web_fetch * deny"], true],
    ["Task(Explore)", ["task * deny"], true],
  ])("denies %s as %j, and says if that is more: %s", (entry, rules, isMore) => {
    const imported = importLists({ deny: [entry] });
    expect(imported).toMatchObject({ rules, skipped: [] });
    expect(imported.notes.map((note) => note.entry)).toEqual(isMore ? [entry] : []);
  });

  it("does not let an allow override a deny or an ask", () => {
    expect(
      importLists({
        allow: [
          "Bash(git push origin:*)",
          "Bash(git log:*)",
          "Edit(secrets/a.md)",
          "Edit(docs/**)",
        ],
        ask: ["Bash(git push:*)", "Bash(rm -rf build:*)"],
        deny: ["Edit(secrets/**)", "Bash(rm:*)"],
      }),
    ).toEqual({
      rules: [
        "fs.write secrets/** deny",
        "bash rm deny",
        "bash git push ask",
        "bash git log * allow",
        "edit docs/** allow",
        "multi_edit docs/** allow",
      ],
      skipped: [
        { entry: "Bash(rm -rf build:*)", why: expect.stringContaining("Bash(rm:*)") },
        { entry: "Bash(git push origin:*)", why: expect.stringContaining("Bash(git push:*)") },
        { entry: "Edit(secrets/a.md)", why: expect.stringContaining("Edit(secrets/**)") },
      ],
      notes: [],
    });
  });

  it("keeps an allow beside a narrower deny", () => {
    const { rules, skipped } = importLists({ allow: ["Bash(git:*)"], deny: ["Bash(git push:*)"] });
    expect(rules).toEqual(["bash git push deny", "bash git * allow"]);
    expect(skipped).toEqual([]);
  });

  it("keeps apart what starts at home and in the project, where it is told where they are", () => {
    const permissions = { allow: ["Edit(src/**)"], deny: ["Edit(~/.ssh/**)", "Edit(//etc/**)"] };
    const place = { root: "/home/me/project", home: "/home/me" };
    expect(fromClaudePermissions({ permissions }, place)).toMatchObject({
      rules: [{}, {}, { permission: "edit" }, { permission: "multi_edit" }],
      skipped: [],
    });
    expect(
      fromClaudePermissions({ permissions }, { ...place, root: "/home/me/.ssh/x" }).skipped,
    ).toMatchObject([{ entry: "Edit(src/**)" }]);
    expect(fromClaudePermissions({ permissions }).skipped).toHaveLength(1);
  });

  it("bounds no command that another entry lets continue", () => {
    const { rules } = importLists({ allow: ["Bash(npm run test)", "Bash(npm run:*)"] });
    expect(rules).toEqual(["bash npm run test allow", "bash npm run * allow"]);
  });

  it("bounds no two commands into each other", () => {
    const { rules } = importLists({ allow: ["Bash(npm test)", "Bash(npm testing)"] });
    expect(rules).toHaveLength(4);
  });

  it.each([undefined, null, 1, "x", [], {}, { permissions: null }, { permissions: { allow: 1 } }])(
    "finds nothing in %j",
    (settings) => {
      expect(fromClaudePermissions(settings)).toEqual({ rules: [], skipped: [], notes: [] });
    },
  );
});
