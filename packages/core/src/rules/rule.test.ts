import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRule, parseRule, type RuleAction } from "./rule.ts";

describe("parseRule", () => {
  it.each([
    ["write src/** allow", { permission: "write", pattern: "src/**", action: "allow" }],
    ["  fs.write   *   deny  ", { permission: "fs.write", pattern: "*", action: "deny" }],
    ["bash git log ask", { permission: "bash", pattern: "git log", action: "ask" }],
    [
      "bash@sandbox npm * allow",
      { permission: "bash", pattern: "npm *", action: "allow", when: "sandbox" },
    ],
    ["mcp:a@b:c x deny", { permission: "mcp:a@b:c", pattern: "x", action: "deny" }],
    ["* a allow deny", { permission: "*", pattern: "a allow", action: "deny" }],
  ])("reads %j", (text, rule) => {
    expect(parseRule(text)).toEqual(rule);
  });

  it.each(["", "write", "write allow", "write src/** maybe", "write src/** ALLOW", "  "])(
    "refuses %j and shows how it is written",
    (text) => {
      expect(() => parseRule(text)).toThrow("Write PERMISSION PATTERN ACTION");
    },
  );

  it.each(["bash@sandbx npm allow", "@sandbox npm allow", "bash@ npm allow"])(
    "refuses the condition of %j",
    (text) => {
      expect(() => parseRule(text)).toThrow("only condition after a permission is @sandbox");
    },
  );
});

describe("formatRule", () => {
  it("writes what parseRule reads back", () => {
    const word = fc.stringMatching(/^[!-?A-~]+$/u);
    const when = fc.constant("sandbox" as const);
    const pattern = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
    const action = fc.constantFrom<RuleAction>("allow", "ask", "deny");
    fc.assert(
      fc.property(
        fc.record(
          { permission: word, pattern, action, when },
          { requiredKeys: ["permission", "pattern", "action"] },
        ),
        (rule) => {
          expect(parseRule(formatRule(rule))).toEqual(rule);
        },
      ),
    );
  });
});
