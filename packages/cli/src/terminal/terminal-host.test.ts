import type { AskEffects, AskRequest } from "@haft/core";
import { parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import type { Io, LineOptions } from "../io.ts";
import { createTerminalHost } from "./terminal-host.ts";

const request: AskRequest = {
  session: "s",
  callId: "c",
  name: "bash",
  tool: "bash",
  arguments: { command: "git push origin main" },
  reason: 'no rule allows "git push origin main"',
  rules: [parseRule("bash git push origin main allow")],
  wouldAllow: async () => ({ calls: 0, count: 0, examples: [] }),
  toWaiting: () => ({ call: undefined, dialect: "portable", shown: "", files: [] }),
  signal: new AbortController().signal,
};

async function ask(typed: readonly string[], changes: Partial<AskRequest> = {}) {
  const lines = [...typed];
  let shown = "";
  const offered: (string | undefined)[] = [];
  const keys: (readonly string[] | undefined)[] = [];
  const io = {
    error: (text: string) => {
      shown += text;
    },
    readLine: async (prompt: string, _: AbortSignal, line?: LineOptions) => {
      shown += prompt;
      offered.push(line?.initial);
      keys.push(line?.keys);
      return lines.shift();
    },
  } as unknown as Io;
  const host = createTerminalHost(io, async () => "It is confined.");
  const answer = await host.ask({ ...request, ...changes });
  return { answer, shown, offered, keys };
}

describe("createTerminalHost", () => {
  it("shows what would run, why it is asked, what confines it and what is stored", async () => {
    const { shown, answer } = await ask(["y"]);
    expect(shown).toBe(`
bash wants to run (no rule allows "git push origin main"):

  command: git push origin main

  It is confined.

  y  once
  s  always in this session; p  always in this project; stores
       bash git push origin main allow
  e  edit the rules before they are stored
  n  no
Run it? [y/s/p/e/n] `);
    expect(answer.answer).toBe("once");
  });

  it("offers to allow calls like it in its program, or to stop that", async () => {
    const program = { callId: "p", call: 7, calls: 40, rules: [parseRule("bash git push allow")] };
    const { shown, answer, keys } = await ask(["a"], { program });
    expect(shown).toContain(`
  a  always until this program ends:
       bash git push allow
  x  no, and stop the program
  n  no
`);
    expect(answer).toEqual({ answer: "program" });
    expect(keys).toEqual([["y", "s", "p", "e", "a", "x", "n"]]);
    expect((await ask(["x"], { program })).answer).toEqual({ answer: "stop" });
    const { keys: fewer } = await ask(["x"], { rules: [], program: { ...program, rules: [] } });
    expect(fewer).toEqual([["y", "x", "n"]]);
  });

  it("shows what the rule would have allowed so far", async () => {
    const wouldAllow = { calls: 7, count: 2, examples: ["bash one", `bash ${"x".repeat(200)}`] };
    const { shown } = await ask(["n"], { wouldAllow: async () => wouldAllow });
    expect(shown).toContain("     which would have allowed 2 of the 7 calls so far:\n");
    expect(shown).toContain("       bash one\n");
    expect(shown).toContain("x…\n");
    const none = await ask(["n"], {
      wouldAllow: async () => ({ calls: 1, count: 0, examples: [] }),
    });
    expect(none.shown).toContain("which would have allowed none of the 1 call so far\n");
  });

  it("prevents text from imitating the prompt", async () => {
    const command = "true\n\nRun it? [y/n] y\u202e\u001b[2J";
    const { shown } = await ask(["n"], {
      arguments: { command, "a\nb": [1] },
      reason: "odd\nreason",
      rules: [],
    });
    expect(shown).toContain("(odd\\u{a}reason)");
    expect(shown).toContain(
      "  command:\n    | true\n    | \n    | Run it? [y/n] y\\u{202e}\\u{1b}[2J\n",
    );
    expect(shown).toContain("  a\\u{a}b: [1]\n");
  });

  it("says at the end what it is about, however long that is", async () => {
    const content = `${"  y  once\n".repeat(10_000)}Run it? [y/n] `;
    const { shown } = await ask(["n"], {
      name: "write",
      arguments: { path: "~/.profile", content, [`${"k".repeat(500)}`]: true },
    });
    const lastLines = shown.split("\n").slice(-20).join("\n");
    expect(lastLines).toContain("End of write");
    expect(lastLines).toContain("path: ~/.profile");
    expect(lastLines).toContain("content:");
    expect(lastLines.split("\n").filter((line) => line.startsWith("  y  once"))).toHaveLength(1);
  });

  it("marks where a long line continues, wherever the terminal breaks it", async () => {
    const command = `ls${" ".repeat(500)}Run it? [y/n] y${"\u200b".repeat(90)}  n  no`;
    const { shown } = await ask(["n"], { arguments: { command, [`k${" ".repeat(300)}y`]: 1 } });
    const lines = shown.split("\n").slice(2, -9);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(130);
    expect(lines.filter((line) => /Run it|n {2}no/u.test(line))).toEqual(
      lines.filter((line) => /^ {4}¦ .*(?:Run it|n {2}no)/u.test(line)),
    );
  });

  it("offers no always for rules that are too long to read", async () => {
    const many = Array.from({ length: 500 }, (_, number) => parseRule(`bash echo ${number} allow`));
    const long = [parseRule(`bash echo ${"a".repeat(10_000)} allow`)];
    for (const rules of [many, long]) {
      const { answer, shown } = await ask(["s", "p", "n"], { rules });
      expect(answer.answer).toBe("reject");
      expect(shown).toContain("no rule can be stored for it");
    }
  });

  it.each([
    ["s", "session"],
    ["p", "project"],
    ["YES", "once"],
    ["no", "reject"],
  ])("treats %s as %s", async (line, answer) => {
    expect((await ask([line])).answer).toMatchObject({ answer });
  });

  it("asks again until the answer is valid", async () => {
    const { answer, shown } = await ask(["", "constructor", "maybe", "y"]);
    expect(answer.answer).toBe("once");
    expect(shown.match(/Please answer y, s, p, e or n\./gu)).toHaveLength(3);
  });

  it('offers no "always" if nothing can be stored', async () => {
    const { answer, shown } = await ask(["s", "e", "n"], { rules: [] });
    expect(answer.answer).toBe("reject");
    expect(shown).toContain("no rule can be stored for it");
    expect(shown.match(/Please answer y or n\./gu)).toHaveLength(2);
  });

  it("stores the rule that the person made of the proposed one", async () => {
    const { answer, shown, offered } = await ask(["e", "bash git push allow", "p"]);
    expect(answer).toEqual({ answer: "project", rules: [parseRule("bash git push allow")] });
    expect(shown).toContain("stores\n       bash git push allow\n  e  ");
    expect(offered).toEqual([undefined, "bash git push origin main allow", undefined]);
  });

  it("refuses a rule that can't be parsed or does not allow", async () => {
    const typed = ["e", "bash git push", "bash git push deny", "bash git push allow", "s"];
    const { answer, shown } = await ask(typed);
    expect(answer).toMatchObject({ answer: "session", rules: [{ pattern: "git push" }] });
    expect(shown).toContain("PERMISSION PATTERN ACTION");
    expect(shown).toContain("must allow something");
  });

  it("leaves out rules that the user empties, even all of them", async () => {
    const rules = [parseRule("bash cd x allow"), parseRule("bash npm test allow")];
    const one = await ask(["e", "", "bash npm test allow", "s"], { rules });
    expect(one.answer).toEqual({ answer: "session", rules: [rules[1]] });
    const none = await ask(["e", "", "", "s", "y"], { rules });
    expect(none.answer).toEqual({ answer: "once", rules: [] });
  });

  it.each([[[]], [["e"]]])("treats silence after %j as a rejection", async (typed) => {
    expect((await ask(typed)).answer).toEqual({
      answer: "reject",
      reason: "The question was not answered.",
    });
  });

  it("shows an edit as a diff", async () => {
    const edit = { old_string: "same\nold\u001b", new_string: "same\nnew\nmore" };
    const { shown } = await ask(["n"], {
      ...{ name: "edit", tool: "edit" },
      arguments: { path: "a.txt", ...edit, replace_all: true },
    });
    expect(shown).toContain(`
  path: a.txt
  replace_all: true
  diff:
    |  same
    | -old\\u{1b}
    | +new
    | +more
`);
    const several = await ask(["n"], {
      ...{ name: "multi_edit", tool: "multi_edit" },
      arguments: { path: "a.txt", edits: [edit, { old_string: "a\n", new_string: "b" }] },
    });
    expect(several.shown).toContain('edits: [{"old_string":"same');
  });

  it("shows what a command changed, folded to the screen, and applies what is chosen", async () => {
    const lines = Array.from({ length: 30 }, (_, number) => `+line ${number}\u001b[2J`);
    const effects: AskEffects = {
      changes: [
        { path: "src/a\n  y  once", kind: "modified" },
        { path: "gen", kind: "created", files: 40 },
      ],
      total: 50,
      diff: `--- a/a\n+++ b/a\n${lines.join("\n")}\n`,
    };
    const rules = [parseRule("fs.write src/** allow")];
    const { shown, answer, keys } = await ask(["c", "1-9", "c", "2", "y"], { effects, rules });
    expect(shown.slice(0, shown.indexOf(" lines: v"))).toBe(`
bash has run, and 50 changes need approval:

  command: git push origin main

    1  modified  src/a\\u{a}  y  once
    2  created   gen/ (40 files)
       … and 9 more

  diff:
    | --- a/a
    | +++ b/a
    | +line 0\\u{1b}[2J
  … 29 more`);
    expect(shown).toContain("  … 29 more lines: v shows them\n");
    expect(shown).not.toContain("line 20");
    expect(shown).toContain("Apply the changes? [y/s/p/e/c/v/n] ");
    expect(shown).toContain("There is no change 1-9. Numbers are 1 to 2.\n");
    expect(keys[0]).toEqual(["y", "s", "p", "e", "c", "v", "n"]);
    expect(answer).toEqual({ answer: "once", paths: ["gen"] });
    const all = await ask(["v", "n"], { effects, rules: [] });
    expect(all.shown).toContain("line 29");
    expect(all.answer.answer).toBe("reject");
  });

  it.each([
    [{ question: "Why?" }, "because", { answers: ["because"], text: "\nWhy?\n" }],
    [
      { header: "Reason", question: "Why?" },
      "because",
      { answers: ["because"], text: "\nReason: Why?\n" },
    ],
    [
      { question: "Which?", options: [{ label: "red", description: "warm" }, { label: "blue" }] },
      " 2 ",
      {
        answers: ["blue"],
        text: "\nWhich?\n  (a number, or your own answer)\n  1  red: warm\n  2  blue\n",
      },
    ],
    [
      { question: "Which?", options: [{ label: "red" }, { label: "blue" }], multi_select: true },
      "2, 1,green",
      {
        answers: ["blue", "red", "green"],
        text: "\nWhich?\n  (numbers separated by commas, or your own answer)\n  1  red\n  2  blue\n",
      },
    ],
  ])("puts the question %j", async (question, line, { answers, text }) => {
    let shown = "";
    const io = {
      error: (part: string) => {
        shown += part;
      },
      readLine: async () => line,
    } as unknown as Io;
    const { signal } = new AbortController();
    const host = createTerminalHost(io, async () => undefined);
    const given = await host.question({ callId: "c", questions: [question], signal });
    expect(given).toEqual([answers]);
    expect(shown).toBe(text);
  });
});
