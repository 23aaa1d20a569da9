import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { parseRule, type RuleScope } from "./rule.ts";
import { compileRules, type Ruleset } from "./ruleset.ts";
import type { Subject } from "./subject.ts";

const grep = new MockTool({ name: "grep" });
const write = new MockTool({ name: "write" });

const base = {
  roots: ["/w"],
  home: "/home/me",
  nativeId: () => undefined,
  isSandboxed: () => false,
  identify: (path: string) => path,
};

function compile(lines: readonly string[], scope: RuleScope = "session"): Ruleset {
  return compileRules(
    lines.map((line) => ({ rule: parseRule(line), scope })),
    base,
  );
}

function file(key: string): Subject {
  return { type: "file", key, mode: "write", tree: false };
}

describe("denies", () => {
  it.each([
    [["grep private/** deny"], "/w/private/a", true],
    [["fs.read private/** deny"], "/w/private/a", true],
    [["* private/** deny"], "/w/private/a", true],
    [["grep private/** deny"], "/w/public/a", false],
    [["read private/** deny"], "/w/private/a", false],
    [["grep private/** deny", "grep private/a allow"], "/w/private/a", false],
    [["grep private/** ask"], "/w/private/a", false],
    [[], "/w/private/a", false],
  ])("with %j a search shows %s: %s", (lines, path, denied) => {
    expect(compile(lines).denies(grep, path, "read")).toBe(denied);
  });
});

describe("names", () => {
  it.each([
    [["write .git/config allow"], true],
    [["fs.write .git/config allow"], true],
    [["* .git/config allow"], true],
    [["write /w/.git/config allow"], true],
    [["write .git/* allow"], false],
    [["write .git/ allow"], false],
    [["write .git/confi[g] allow"], false],
    [["write ** allow"], false],
    [["write .git/config ask"], false],
    [["edit .git/config allow"], false],
    [["write .git/config allow", "write .git/config deny"], false],
    [[], false],
  ])("with %j the path is spelt out: %s", (lines, named) => {
    expect(compile(lines).names(write, "/w/.git/config")).toBe(named);
  });

  it("knows a path whose name has special characters by its escaped form", () => {
    expect(compile(["write .git/hooks/a\\*b allow"]).names(write, "/w/.git/hooks/a*b")).toBe(true);
  });

  it.each([
    ["write .git/config allow"],
    ["write .git/hooks/pre-commit allow", "write .git/config allow"],
    ["* /w/.git/config allow"],
    ["fs.write .git/config allow"],
  ])("is ignored in the project's rules: %s", (...lines) => {
    const rules = compile(lines, "project");
    expect(rules.judge(write, [file("/w/.git/config")]).action).toBe("allow");
    expect(rules.names(write, "/w/.git/config")).toBe(false);
  });

  it("can be said by a user's rule beside one of the project", () => {
    const scoped = (["project", "session"] as const).map((scope) => ({
      rule: parseRule("write .git/config allow"),
      scope,
    }));
    for (const rules of [scoped, scoped.toReversed()]) {
      expect(compileRules(rules, base).names(write, "/w/.git/config")).toBe(true);
    }
  });

  it("is ignored in a rule that wins only through the project's allow", () => {
    const rules = compileRules(
      [
        { rule: parseRule("write .git/** deny"), scope: "session" },
        { rule: parseRule("* .git/config allow"), scope: "session" },
        { rule: parseRule("write .git/config allow"), scope: "project" },
      ],
      base,
    );
    expect(rules.names(write, "/w/.git/config")).toBe(false);
  });

  it("is ignored in default rules", () => {
    expect(compile(["write .git/config allow"], "default").names(write, "/w/.git/config")).toBe(
      false,
    );
  });
});
