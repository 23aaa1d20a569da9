import { describe, expect, it } from "vitest";
import type { ScopedRule } from "./compile-rule.ts";
import { compileFileRules, type DeniedFiles } from "./denied-files.ts";
import { joinFileRules } from "./file-rules.ts";
import { parseRule } from "./rule.ts";
import { compileRules } from "./ruleset.ts";

const base = {
  roots: ["/w"],
  home: "/home/ada",
  nativeId: (name: string) => (name === "Read" ? "read" : undefined),
  isSandboxed: () => false,
  identify: (path: string) => path,
};

function select(lines: readonly string[], more: Partial<ScopedRule> = {}) {
  const rules = lines.map((line) => ({
    rule: parseRule(line),
    scope: "session" as const,
    ...more,
  }));
  return compileRules(rules, base).fileRules();
}

function deny(...lines: readonly string[]): DeniedFiles {
  const rules = select(lines);
  if (rules === undefined) throw new Error("Nothing is denied.");
  return compileFileRules(JSON.parse(JSON.stringify(rules)));
}

describe("file rules of a ruleset", () => {
  it.each([
    [[]],
    [["read ** allow", "fs.read private/** ask"]],
    [["bash rm * deny", "web_fetch * deny", "edit x deny"]],
    [["* * deny", "bash ls allow"]],
    [["fs.read@sandbox private/** deny"]],
  ])("are absent if they deny no file to programs: %j", (lines) => {
    expect(select(lines)).toBeUndefined();
  });

  it.each(["fs.read", "read", "Read", "*"])("count for the permission %s", (permission) => {
    expect(deny(`${permission} private/** deny`).has("/w/private/x", "read")).toBe(true);
  });

  it("let no untrusted rule make an exception", () => {
    const own = [{ rule: parseRule("fs.read a/** deny"), scope: "session" as const }];
    const foreign = ["fs.read a/b allow", "fs.read a/c ask", "fs.read d/** deny"].map((line) => ({
      rule: parseRule(line),
      scope: "project" as const,
      isUntrusted: true,
    }));
    const rules = compileRules([...own, ...foreign], base).fileRules();
    const denied = rules && compileFileRules(rules);
    for (const path of ["/w/a/b", "/w/a/c", "/w/d/x"]) expect(denied?.has(path, "read")).toBe(true);
  });

  it("are joined so that each can only deny more", () => {
    const joined = joinFileRules([
      undefined,
      select(["fs.read a/** deny"]),
      select(["fs.read b/** deny", "fs.read a/x allow"]),
    ]);
    const denied = joined && compileFileRules(joined);
    expect(["/w/a/x", "/w/b/x", "/w/c"].map((path) => denied?.has(path, "read"))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("compileFileRules", () => {
  it("judges programs as `read` and as a tool of no name", () => {
    const denied = deny("fs.read private/** deny", "read private/x allow", "write docs/** deny");
    expect(denied.has("/w/private/x", "read")).toBe(true);
    expect(denied.has("/w/private/x", "write")).toBe(false);
    expect(denied.has("/w/docs/x", "write")).toBe(true);
    expect(denied.has("/w/docs/x", "read")).toBe(false);
  });

  it.each([
    [["fs.read private/** deny"], "/w/private", true],
    [["fs.read private/** deny"], "/w/private/deep", true],
    [["fs.read private/** deny"], "/w", false],
    [["fs.read private/* deny"], "/w/private", false],
    [["fs.read **/secret/** deny"], "/w/a/secret", true],
    [["fs.read private/** deny", "fs.read ** allow"], "/w/private", true],
    [["fs.read private/** deny", "read ** allow"], "/w/private", true],
    [["fs.read private/** deny", "read private/x allow"], "/w/private", true],
    [["read private/** deny", "read private/x allow"], "/w/private", false],
    [["fs.read private/** deny", "fs.read private/open/** allow"], "/w/private", false],
    [["fs.read private/** deny", "fs.read private/open/** allow"], "/w/private/deep", true],
    [["fs.read private/** deny", "fs.read **/very-long-name.txt allow"], "/w/private", false],
    [["fs.read ~/x/** deny"], "/home/ada/x", true],
    [["fs.read ** deny"], "/w", true],
    [["write ** deny"], "/w", false],
  ])("tells for %j whether all of %s is denied: %s", (lines, directory, expected) => {
    expect(deny(...lines).hasAllOf(directory, "read")).toBe(expected);
  });

  it("tells where something may be denied", () => {
    const denied = deny("fs.read a/b/** deny", "fs.write c/*.lock deny");
    const directories = ["/w", "/w/a", "/w/a/b/c", "/w/c", "/w/d", "/elsewhere"];
    expect(directories.filter((each) => denied.mayBeIn(each))).toEqual(directories.slice(0, 4));
  });
});
