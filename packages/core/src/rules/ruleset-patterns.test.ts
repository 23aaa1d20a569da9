import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { RuleBase } from "./compile-rule.ts";
import { compileRules } from "./ruleset.ts";
import type { Subject } from "./subject.ts";

const tool = new MockTool({ name: "write" });
const base: RuleBase = {
  roots: ["/w"],
  home: "/home/me",
  nativeId: () => undefined,
  isSandboxed: () => false,
  identify: (path: string) => path,
};

function isAllowed(
  pattern: string,
  subject: Partial<Subject>,
  place: Partial<RuleBase> = {},
): boolean {
  const rule = { permission: "write", pattern, action: "allow" } as const;
  const rules = compileRules([{ rule, scope: "session" }], { ...base, ...place });
  const whole: Subject = { type: "file", key: "", mode: "write", tree: false, ...subject };
  return rules.judge(tool, [whole]).action === "allow";
}

describe("the pattern of a rule", () => {
  it.each([
    ["*", "/etc/passwd", true],
    ["**", "/etc/passwd", true],
    ["src/*", "/w/src/a", true],
    ["src/*", "/w/src/b/a", false],
    ["src/**", "/w/src/b/a", true],
    ["src/**", "/w/src", true],
    ["src/**", "/w/src-evil/a", false],
    ["src/**", "/other/src/a", false],
    ["./src/**", "/w/src/a", true],
    ["src/", "/w/src/a", true],
    ["/w/src/**", "/w/src/a", true],
    ["/etc/*", "/etc/passwd", true],
    ["~/notes/**", "/home/me/notes/a", true],
    ["~/notes/**", "/w/~/notes/a", false],
    ["**/*.ts", "/w/a/b.ts", true],
    ["a\\*b", "/w/a*b", true],
    ["a\\*b", "/w/axb", false],
  ])("%s, of the path %s: %s", (pattern, key, allowed) => {
    expect(isAllowed(pattern, { key })).toBe(allowed);
  });

  it("starts at every root", () => {
    const roots = ["/one", "/two"];
    expect(isAllowed("src/*", { key: "/two/src/a" }, { roots })).toBe(true);
    expect(isAllowed("src/*", { key: "/three/src/a" }, { roots })).toBe(false);
  });

  it("takes the characters of a root as they are", () => {
    const roots = ["/w/[a]*{b,c}"];
    expect(isAllowed("src/*", { key: "/w/[a]*{b,c}/src/x" }, { roots })).toBe(true);
    expect(isAllowed("src/*", { key: "/w/azb/src/x" }, { roots })).toBe(false);
  });

  it("takes the characters of the home directory as they are", () => {
    expect(isAllowed("~/a", { key: "/home/[me]/a" }, { home: "/home/[me]" })).toBe(true);
    expect(isAllowed("~/a", { key: "/home/m/a" }, { home: "/home/[me]" })).toBe(false);
  });

  it("finds the workspace that is the whole disk", () => {
    expect(isAllowed("src/*", { key: "/src/a" }, { roots: ["/"] })).toBe(true);
  });

  it.each([
    ["*.example.com", "api.example.com", true],
    ["*.example.com", "example.com.evil.org", false],
    ["src/a", "src/a", true],
    ["/w/src/a", "src/a", false],
  ])("%s, of the host or name %s: %s", (pattern, key, allowed) => {
    expect(isAllowed(pattern, { key, type: "host" })).toBe(allowed);
    expect(isAllowed(pattern, { key, type: "name" })).toBe(allowed);
  });
});
