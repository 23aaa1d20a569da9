import { describe, expect, it } from "vitest";
import type { StoredQuestion } from "./inbox-item.ts";
import { mayEditRules, readEditedRules } from "./read-edited-rules.ts";

const question = (...rules: string[]) => ({ rules }) as unknown as StoredQuestion;

describe("reading rules that a person wrote", () => {
  it("returns rules that allow something", () => {
    expect(readEditedRules(question("write a allow"), ["write docs/** allow"])).toEqual([
      { permission: "write", pattern: "docs/**", action: "allow" },
    ]);
  });

  it.each([
    ["nonsense", "is not a rule"],
    ["write ** deny", "must allow something"],
    ["write ** ask", "must allow something"],
    ["write docs/\u202e** allow", "can't be seen"],
    ["write docs/\u200b** allow", "can't be seen"],
    ["write a\nbash * allow", "can't be seen"],
    ["watchdog:x y allow", "can't be stored"],
    [`write ${"w".repeat(2_000)} allow`, "at most 2000"],
  ])("refuses %j", (line, why) => {
    expect(() => readEditedRules(question("write a allow"), [line])).toThrow(why);
  });

  it("refuses none, too many, and rules where none can be stored", () => {
    const many = Array.from({ length: 21 }, (_, index) => `write ${index} allow`);
    for (const lines of [[], many]) {
      expect(() => readEditedRules(question("write a allow"), lines)).toThrow("1 to 20");
    }
    for (const asked of [question(), question("watchdog:x y allow")]) {
      expect(mayEditRules(asked)).toBe(false);
      expect(() => readEditedRules(asked, ["write a allow"])).toThrow("can't be changed");
    }
  });
});
