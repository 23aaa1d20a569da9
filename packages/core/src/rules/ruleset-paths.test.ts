import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { parseRule, type RuleScope } from "./rule.ts";
import { compileRules, type Ruleset } from "./ruleset.ts";

const grep = new MockTool({ name: "grep" });
const write = new MockTool({ name: "write" });

function compile(lines: readonly string[], scope: RuleScope = "session"): Ruleset {
  return compileRules(
    lines.map((line) => ({ rule: parseRule(line), scope })),
    { roots: ["/w"], home: "/home/me", nativeId: () => undefined, isSandboxed: () => false },
  );
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

  it("is not for default rules to say", () => {
    expect(compile(["write .git/config allow"], "default").names(write, "/w/.git/config")).toBe(
      false,
    );
  });
});
