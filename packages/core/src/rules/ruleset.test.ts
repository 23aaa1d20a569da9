import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { Verdict } from "./compile-rule.ts";
import { parseRule, type RuleScope } from "./rule.ts";
import { compileRules } from "./ruleset.ts";
import type { Subject } from "./subject.ts";

const write = new MockTool({ name: "write", source: "builtin" });
const search = new MockTool({ name: "mcp__github__search", source: "mcp" });

interface Setting {
  readonly rules: readonly string[];
  readonly tool?: MockTool;
  readonly subjects?: readonly Subject[];
}

/** Rules are `SCOPE PERMISSION PATTERN ACTION` here; the scope `untrusted` is the project's, not trusted. */
function judge({ rules, tool = write, subjects = [file("/w/src/a.ts")] }: Setting): Verdict {
  const scoped = rules.map((text) => {
    const [scope = "", ...rest] = text.split(" ");
    const rule = parseRule(rest.join(" "));
    if (scope === "untrusted") return { scope: "project" as const, rule, isUntrusted: true };
    return { scope: scope as RuleScope, rule };
  });
  const nativeId = (name: string): string | undefined => ({ Write: "write" })[name];
  const base = {
    roots: ["/w"],
    home: "/home/me",
    nativeId,
    isSandboxed: () => false,
    identify: (path: string) => path,
  };
  return compileRules(scoped, base).judge(tool, subjects);
}

function file(key: string, mode: Subject["mode"] = "write"): Subject {
  return { type: "file", key, mode, tree: false };
}

describe("a ruleset", () => {
  it("asks where no rule fits", () => {
    expect(judge({ rules: [] })).toEqual({ action: "ask", decidedBy: undefined });
    expect(judge({ rules: ["session read ** allow"] }).action).toBe("ask");
  });

  it.each([
    ["the longer pattern", ["session write src/** allow", "session write src/a.ts deny"], "deny"],
    [
      "the longer pattern, also to allow",
      ["session write ** deny", "session write src/** allow"],
      "allow",
    ],
    [
      "the tool over the capability",
      ["session fs.write ** deny", "session write ** allow"],
      "allow",
    ],
    ["the capability over everything", ["session * ** deny", "session fs.write ** allow"], "allow"],
    [
      "the session as little as the project",
      ["session write ** allow", "project write src/** deny"],
      "deny",
    ],
    [
      "a relative pattern as if it were absolute",
      ["session write /w/** allow", "session write src/** deny"],
      "deny",
    ],
    [
      "an absolute pattern no more than its like",
      ["session write /w/src/** allow", "session write src/** deny"],
      "deny",
    ],
  ])("lets the most specific win: %s", (_, rules, action) => {
    expect(judge({ rules }).action).toBe(action);
    expect(judge({ rules: [...rules].reverse() }).action).toBe(action);
  });

  it.each([
    ["deny over allow", ["session write src/** allow", "project write src/** deny"], "deny"],
    ["ask over allow", ["session write src/** allow", "project write src/** ask"], "ask"],
    ["deny over ask", ["session write src/** ask", "project write src/** deny"], "deny"],
  ])("lets the stricter win on a tie: %s", (_, rules, action) => {
    expect(judge({ rules }).action).toBe(action);
    expect(judge({ rules: [...rules].reverse() }).action).toBe(action);
  });

  it("lets the strictest win among rules that are each more specific in their own way", () => {
    const narrowPattern = "session * src/a.ts";
    const narrowPermission = "session write src/**";
    expect(judge({ rules: [`${narrowPattern} deny`, `${narrowPermission} allow`] }).action).toBe(
      "deny",
    );
    expect(judge({ rules: [`${narrowPattern} allow`, `${narrowPermission} deny`] }).action).toBe(
      "deny",
    );
  });

  it("does not let a beaten rule come back through a third", () => {
    const rules = ["session * ** deny", "session write ** allow", "session * src/a.ts allow"];
    expect(judge({ rules }).action).toBe("allow");
  });

  it("takes a manifest's deny as final", () => {
    const verdict = judge({ rules: ["manifest fs.write ** deny", "session write src/a.ts allow"] });
    expect(verdict.action).toBe("deny");
    expect(verdict.decidedBy).toMatchObject({ scope: "manifest" });
  });

  it("lets a session be softer than a manifest that only asks", () => {
    expect(judge({ rules: ["manifest write ** ask", "session write src/** allow"] }).action).toBe(
      "allow",
    );
  });

  it.each([
    ["allows nothing", ["untrusted write src/a.ts allow"], "ask"],
    ["allows nothing that is denied", ["session write ** deny", "untrusted * * allow"], "deny"],
    ["denies", ["session write ** allow", "untrusted write src/** deny"], "deny"],
    ["asks", ["session write ** allow", "untrusted write src/** ask"], "ask"],
    ["asks over a default", ["default write ** allow", "untrusted * * ask"], "ask"],
    [
      "softens no denial by a more specific ask",
      ["session write ** deny", "untrusted write src/a.ts ask"],
      "deny",
    ],
    [
      "softens no default denial",
      ["default write ** deny", "untrusted write src/a.ts ask"],
      "deny",
    ],
    [
      "yields to a more specific rule of a person",
      ["untrusted write ** deny", "session write src/a.ts allow"],
      "allow",
    ],
    [
      "yields to no more specific rule that is not trusted either",
      ["untrusted write ** deny", "untrusted write src/a.ts allow"],
      "deny",
    ],
  ])("that is not trusted %s", (_, rules, action) => {
    expect(judge({ rules }).action).toBe(action);
    expect(judge({ rules: [...rules].reverse() }).action).toBe(action);
  });

  it("hears the defaults only where no other rule fits", () => {
    expect(judge({ rules: ["default write ** allow"] }).action).toBe("allow");
    expect(judge({ rules: ["default write src/a.ts allow", "session * ** ask"] }).action).toBe(
      "ask",
    );
  });

  it("gives a call that touches several things the strictest verdict", () => {
    const rules = ["session write src/** allow", "session write docs/** deny"];
    const subjects = [file("/w/src/a"), file("/w/docs/b"), file("/w/src/c")];
    expect(judge({ rules, subjects }).action).toBe("deny");
    expect(judge({ rules, subjects: [file("/w/src/a"), file("/w/x")] }).action).toBe("ask");
  });

  it("judges a call that touches nothing by rules for anything only", () => {
    expect(judge({ rules: ["session write * allow"], subjects: [] }).action).toBe("allow");
    expect(judge({ rules: ["session write src/** allow"], subjects: [] }).action).toBe("ask");
    expect(judge({ rules: ["session fs.write ** allow"], subjects: [] }).action).toBe("ask");
  });

  it.each([
    ["an alias of the tool", "Write src/** allow", "allow"],
    ["its capability", "fs.write src/** allow", "allow"],
    ["another capability", "fs.read src/** allow", "ask"],
    ["another tool", "edit src/** allow", "ask"],
    ["everything", "* src/** allow", "allow"],
  ])("reads the permission as %s", (_, rule, action) => {
    expect(judge({ rules: [`session ${rule}`] }).action).toBe(action);
  });

  it.each([
    ["mcp:github:search * allow", "allow"],
    ["mcp:github:* * allow", "allow"],
    ["mcp:github:sear * allow", "ask"],
    ["mcp:git:* * allow", "ask"],
    ["mcp:*:* * allow", "allow"],
    ["mcp:*:search * allow", "allow"],
    ["mcp:*:other * allow", "ask"],
    ["mcp__github__search * allow", "allow"],
  ])("reads the MCP permission %s", (rule, action) => {
    expect(judge({ rules: [`session ${rule}`], tool: search, subjects: [] }).action).toBe(action);
  });

  it("prefers a rule on one MCP tool to one on its server", () => {
    const rules = [
      "session mcp:*:* * ask",
      "session mcp:github:* * deny",
      "session mcp:github:search * allow",
    ];
    expect(judge({ rules, tool: search, subjects: [] }).action).toBe("allow");
  });

  it("does not treat a tool of another source as an MCP tool", () => {
    const impostor = new MockTool({ name: "mcp__github__search" });
    const rules = ["session mcp:github:* * allow"];
    expect(judge({ rules, tool: impostor, subjects: [] }).action).toBe("ask");
  });
});
