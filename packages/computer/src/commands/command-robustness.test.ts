import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { judgeReading } from "../test-support/judge-reading.ts";
import { randomCommandLine } from "../test-support/random-command-line.ts";
import { randomNesting } from "../test-support/random-nesting.ts";
import { createCommandReader } from "./command-reader.ts";

const reader = createCommandReader({ roots: ["/w"], home: "/home/me" });

beforeAll(() => reader.prepare());

const signs = fc.constantFrom(
  ..."'\"`$(){}[]<>|&;#\\*?~!=\n\t \0\r",
  "$(",
  "${",
  "<<E\n",
  "))",
  ";;",
  "do",
  "\ud800",
);

function mutate(script: string, changes: readonly (readonly [number, number, string])[]): string {
  return changes.reduce((text, [start, length, insert]) => {
    const at = text.length === 0 ? 0 : start % (text.length + 1);
    return `${text.slice(0, at)}${insert}${text.slice(at + length)}`;
  }, script);
}

const changes = fc.array(fc.tuple(fc.nat(500), fc.nat(4), signs), { minLength: 1, maxLength: 4 });

function expectReading(command: string): void {
  const reading = reader.read(command, "/w");
  for (const { words } of reading.commands) expect(words.length).toBeGreaterThan(0);
  const isCertain = reading.doubts.length === 0;
  expect(isCertain || !reading.readsOnly).toBe(true);
}

describe("reading", () => {
  it("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), expectReading), {
      numRuns: 500,
    });
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), expectReading), {
      numRuns: 300,
    });
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 80 }), (parts) => expectReading(parts.join(""))),
      { numRuns: 800 },
    );
  });

  it("never throws on scripts that were damaged, and never allows a program in them", () => {
    const scripts = fc.oneof(
      randomNesting("canary", 3).map(({ script }) => script),
      randomCommandLine,
    );
    fc.assert(
      fc.property(scripts, changes, (script, damage) => expectReading(mutate(script, damage))),
      { numRuns: 1500 },
    );
    const allow = [
      "*",
      "bash",
      "env",
      "find",
      "git",
      "make",
      "perl",
      "python3",
      "sed",
      "awk",
      "tar",
    ];
    fc.assert(
      fc.property(randomNesting("canary", 2), changes, ({ script }, damage) => {
        const command = `${mutate(script, damage)}\ncanary`;
        const { commands, ...reading } = reader.read(command, "/w");
        // Where the damage makes it text or a comment, nothing runs it.
        const isText = !commands.some(({ words }) => words[0] === "canary");
        const verdict = judgeReading({ commands, ...reading }, { allow });
        expect(verdict === "allow" && !isText).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    ["substitutions", "$(", ")"],
    ["quoted substitutions", '"$(', ')"'],
    ["expansions", "${x:-", "}"],
    ["subshells", "( ", ")"],
    ["groups", "{ ", "}"],
    ["braces", "{a,", "}"],
    ["old arithmetic", "$[", "]"],
    ["arithmetic", "$((", "))"],
    ["tests", "[[ ", ""],
    ["conditions", "if ", ""],
    ["loops", "while ", ""],
    ["coprocesses", "coproc ", ""],
    ["functions", "f() { ", "}"],
    ["documents", "<<E ", ""],
    ["finds", "find -exec ", ""],
    ["runners", "npx ", ""],
    ["shells", "bash -c ", ""],
    ["evaluations", "eval ", ""],
    ["quotes", "''", ""],
    ["variables", "A=1 ", ""],
  ])("gets through thousands of %s, and still sees what is denied", (_, open, close) => {
    const command = `${open.repeat(3000)}x; rm y; ${close.repeat(3000)}`;
    const reading = reader.read(command, "/w");
    expect(judgeReading(reading, { allow: ["*"], deny: ["rm"] })).toBe("deny");
  });

  it("does not read what is longer than anybody writes, but sees what is denied", () => {
    const reading = reader.read(`echo ${"a ".repeat(100_000)}; rm x`, "/w");
    expect(judgeReading(reading, { allow: ["*"], deny: ["rm"] })).toBe("deny");
    expect(judgeReading(reading, { allow: ["*"] })).toBe("ask");
  });
});
