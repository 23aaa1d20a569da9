import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleAction } from "../rule.ts";
import { compileRules } from "../ruleset.ts";
import { fromAmpPermissions } from "./from-amp-permissions.ts";
import { fromClaudePermissions } from "./from-claude-permissions.ts";
import type { ImportedRules } from "./imported-rules.ts";

const strictness: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

// Few words, so that patterns and commands meet often.
const word = fc.constantFrom("a", "b", "ab", "-x", "c/a");
const starred = fc.constantFrom("a", "b", "ab", "-x", "*", "a*", "*b", "a*b", "c/a");
const command = fc.array(word, { minLength: 1, maxLength: 4 }).filter(([first]) => first !== "-x");
// A star in front is taken for what runs, not for what is mentioned; that is another promise.
const pattern = fc
  .array(starred, { minLength: 1, maxLength: 4 })
  .filter(([first]) => first !== undefined && !/^[*-]/u.test(first))
  .map((words) => words.join(" "));
const action = fc.constantFrom<RuleAction>("allow", "ask", "deny");
const entries = fc.array(fc.record({ pattern, action }), { maxLength: 5 });

function judge({ rules }: ImportedRules, words: readonly string[]): RuleAction {
  const ruleset = compileRules(
    rules.map((rule) => ({ rule, scope: "project" })),
    {
      roots: ["/w"],
      home: "/h",
      nativeId: () => undefined,
      isSandboxed: () => false,
      identify: (path: string) => path,
    },
  );
  const part = {
    words,
    plainWords: words,
    wrappers: [],
    risks: [],
    doubts: [],
    cwd: "/w",
    effects: [],
  };
  const reading = { doubts: [], commands: [part], writes: [], looseWords: [], readsOnly: false };
  const key = words.join(" ");
  return ruleset.judge({ id: "bash", source: "builtin" }, [
    { type: "command", key, mode: "write", tree: false, cwd: "/w", reading },
  ]).action;
}

function fits(glob: string, text: string): boolean {
  const expression = glob.split("*").map((part) => part.replaceAll(/[.\\/]/gu, "\\$&"));
  return new RegExp(`^${expression.join(".*")}$`, "su").test(text);
}

describe("imported rules", () => {
  it("never allow what Claude Code would not, nor soften what it denies or asks about", () => {
    fc.assert(
      fc.property(entries, command, (list, words) => {
        const lists = (["deny", "ask", "allow"] as const).map((one) =>
          list.filter((entry) => entry.action === one).map((entry) => entry.pattern),
        );
        const [deny = [], ask = [], allow = []] = lists;
        const permissions = Object.fromEntries(
          Object.entries({ deny, ask, allow }).map(([name, patterns]) => [
            name,
            patterns.map((one) => `Bash(${one})`),
          ]),
        );
        const text = words.join(" ");
        // A last star after a space may stand for nothing at all, space included.
        const isAmong = (patterns: readonly string[]): boolean =>
          patterns.some((one) => fits(one, text) || (one.endsWith(" *") && fits(one, `${text} `)));
        const theirs = isAmong(deny) ? "deny" : isAmong(ask) || !isAmong(allow) ? "ask" : "allow";
        const ours = judge(fromClaudePermissions({ permissions }), words);
        expect(strictness[ours]).toBeGreaterThanOrEqual(strictness[theirs]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never allow what Amp would not, nor soften what it rejects or asks about", () => {
    fc.assert(
      fc.property(entries, command, (list, words) => {
        const text = words.join(" ");
        const first = list.find((one) => fits(one.pattern, text) || fits(one.pattern, `${text} `));
        const settings = list.map((one) => ({
          tool: "Bash",
          matches: { cmd: one.pattern },
          action: one.action === "deny" ? "reject" : one.action,
        }));
        const ours = judge(fromAmpPermissions({ "amp.permissions": settings }), words);
        expect(strictness[ours]).toBeGreaterThanOrEqual(strictness[first?.action ?? "ask"]);
      }),
      { numRuns: 2_000 },
    );
  });
});
