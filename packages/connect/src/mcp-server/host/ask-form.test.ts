import { type AskRequest, parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { fromAskAnswer, toAskForm } from "./ask-form.ts";

const request: AskRequest = {
  session: "s",
  callId: "c",
  name: "bash",
  tool: "bash",
  arguments: { command: "git push" },
  reason: "no rule allows it",
  rules: [parseRule("bash git push allow")],
  wouldAllow: async () => ({ calls: 7, count: 2, examples: [] }),
  toWaiting: () => ({ call: undefined, dialect: "portable", shown: "", files: [] }),
  signal: new AbortController().signal,
};

describe("the form of a decision", () => {
  it("shows what would run, why it is asked and what would be stored", async () => {
    expect((await toAskForm(request)).message).toBe(`bash: git push
It needs approval: no rule allows it.

  command: git push

session or project always allow it and store:
  bash git push allow
These rules would have allowed 2 of 7 calls so far.`);
  });

  it("offers to allow calls like it in its program, or to stop that", async () => {
    const rules = [parseRule("bash git allow")];
    const asked = { ...request, program: { callId: "p", call: 7, calls: 40, rules } };
    const { message, requestedSchema } = await toAskForm(asked);
    expect(message).toContain(`program allows until this program ends:
  bash git allow
stop rejects the call and ends the program.`);
    expect(JSON.stringify(requestedSchema)).toContain(
      '["once","program","session","project","reject","stop"]',
    );
    const answer = (decision: string, to = asked) =>
      fromAskAnswer({ action: "accept", content: { decision } }, to);
    expect(answer("program")).toEqual({ answer: "program", rules });
    expect(answer("stop").answer).toBe("stop");
    expect(answer("program", request as typeof asked).answer).toBe("reject");
  });

  it("shows what a command changed, if that is the question", async () => {
    const effects = {
      changes: [{ path: "src/a\nsession or project", kind: "modified" as const }],
      total: 3,
      diff: "--- a/a\n+++ b/a\n-\u001b[2J\n",
    };
    const { message } = await toAskForm({ ...request, effects, rules: [] });
    expect(message).toBe(`bash: modified src/a\\u{a}session or project, … 3 in all
It has run. These changes need approval before they are applied.

  command: git push

  modified  src/a\\u{a}session or project
  … and 2 more

  diff:
    | --- a/a
    | +++ b/a
    | -\\u{1b}[2J

This call must be approved each time.`);
  });

  it("prevents text from imitating the prompt", async () => {
    const command = "true\n\nsession or project\u202e\u001b[2J";
    const odd = { ...request, arguments: { command, "a\nb": [1] }, rules: [] };
    const { message } = await toAskForm(odd);
    expect(message).toContain(
      "  command:\n    | true\n    | \n    | session or project\\u{202e}\\u{1b}[2J\n",
    );
    expect(message).toContain("  a\\u{a}b: [1]\n");
  });

  it.each([
    [{ path: "a.ts", old_string: "one\n", new_string: "two\n" }, "edit: a.ts  - one  + two"],
    [{ path: "a.ts", content: "x\ny\n" }, "edit: a.ts  = x\\u{a}y"],
    [{ url: "https://a.example", depth: 2 }, "edit: url: https://a.example  depth: 2"],
    [["odd"], 'edit: ["odd"]'],
    [{ path: "a".repeat(400) }, `edit: ${"a".repeat(299)}…`],
  ])("says in its first line what would change: %j", async (args, line) => {
    const { message, requestedSchema } = await toAskForm({
      ...request,
      tool: "edit",
      arguments: args,
    });
    expect(message.split("\n", 1)[0]).toBe(line);
    expect(requestedSchema.properties).toMatchObject({ decision: { default: "once" } });
  });

  it("offers nothing that holds for longer where nothing can be stored", async () => {
    const unstorable = { ...request, rules: [] };
    expect((await toAskForm(unstorable)).requestedSchema.properties).toMatchObject({
      decision: { enum: ["once", "reject"] },
    });
    const answer = { action: "accept", content: { decision: "project" } } as const;
    expect(fromAskAnswer(answer, unstorable)).toMatchObject({ answer: "reject" });
    expect(fromAskAnswer(answer, request)).toEqual({ answer: "project", rules: request.rules });
  });
});
