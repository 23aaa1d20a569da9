import type { AskRequest } from "@haft/core";
import { parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import type { Io } from "../io.ts";
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
  signal: new AbortController().signal,
};

async function ask(typed: readonly string[], changes: Partial<AskRequest> = {}) {
  const lines = [...typed];
  let shown = "";
  const offered: (string | undefined)[] = [];
  const io = {
    error: (text: string) => {
      shown += text;
    },
    readLine: async (prompt: string, _: AbortSignal, initial?: string) => {
      shown += prompt;
      offered.push(initial);
      return lines.shift();
    },
  } as unknown as Io;
  const host = createTerminalHost(io, async () => "It is confined.");
  const answer = await host.ask({ ...request, ...changes });
  return { answer, shown, offered };
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
  e  change what is stored first
  n  no
Run it? [y/s/p/e/n] `);
    expect(answer.answer).toBe("once");
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

  it("lets no text pass for a part of the question", async () => {
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

  it.each([
    ["s", "session"],
    ["p", "project"],
    ["YES", "once"],
    ["no", "reject"],
  ])("takes %s for %s", async (line, answer) => {
    expect((await ask([line])).answer).toMatchObject({ answer });
  });

  it("asks again until the answer is one", async () => {
    const { answer, shown } = await ask(["", "constructor", "maybe", "y"]);
    expect(answer.answer).toBe("once");
    expect(shown.match(/Please answer y, s, p, e or n\./gu)).toHaveLength(3);
  });

  it("offers no always where nothing can be stored", async () => {
    const { answer, shown } = await ask(["s", "e", "n"], { rules: [] });
    expect(answer.answer).toBe("reject");
    expect(shown).toContain("nothing of it can be stored");
    expect(shown.match(/Please answer y or n\./gu)).toHaveLength(2);
  });

  it("stores the rule that the person made of the proposed one", async () => {
    const { answer, shown, offered } = await ask(["e", "bash git push allow", "p"]);
    expect(answer).toEqual({ answer: "project", rules: [parseRule("bash git push allow")] });
    expect(shown).toContain("stores\n       bash git push allow\n  e  ");
    expect(offered).toEqual([undefined, "bash git push origin main allow", undefined]);
  });

  it("takes no rule that can't be read or does not allow", async () => {
    const typed = ["e", "bash git push", "bash git push deny", "bash git push allow", "s"];
    const { answer, shown } = await ask(typed);
    expect(answer).toMatchObject({ answer: "session", rules: [{ pattern: "git push" }] });
    expect(shown).toContain("PERMISSION PATTERN ACTION");
    expect(shown).toContain("has to be a rule that allows");
  });

  it("leaves out rules that the person empties, and all of them if so", async () => {
    const rules = [parseRule("bash cd x allow"), parseRule("bash npm test allow")];
    const one = await ask(["e", "", "bash npm test allow", "s"], { rules });
    expect(one.answer).toEqual({ answer: "session", rules: [rules[1]] });
    const none = await ask(["e", "", "", "s", "y"], { rules });
    expect(none.answer).toEqual({ answer: "once", rules: [] });
  });

  it.each([[[]], [["e"]]])("takes silence after %j for a no", async (typed) => {
    expect((await ask(typed)).answer).toEqual({ answer: "reject", reason: "Nobody answered." });
  });

  it.each([
    [{ question: "Why?" }, "because", { answers: ["because"], text: "\nWhy?\n" }],
    [
      { question: "Which?", options: [{ label: "red", description: "warm" }, { label: "blue" }] },
      " 2 ",
      {
        answers: ["blue"],
        text: "\nWhich?\n  (a number, or your own words)\n  1  red: warm\n  2  blue\n",
      },
    ],
    [
      { question: "Which?", options: [{ label: "red" }, { label: "blue" }], multi_select: true },
      "2, 1,green",
      {
        answers: ["blue", "red", "green"],
        text: "\nWhich?\n  (numbers with commas between them, or your own words)\n  1  red\n  2  blue\n",
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
