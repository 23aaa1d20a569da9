import { existsSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { call, calls, type ModelAnswer, say } from "../../test-support/model-server/index.ts";
import { type Driven, type DriveOptions, drive, updatesOf } from "../test-support/drive.ts";

const writeA = call("write", { path: "a.txt", content: "a\n" });

async function turn(script: readonly ModelAnswer[], more: DriveOptions = {}): Promise<Driven> {
  const driven = await drive({ script: [...script, say("Done.")], rules: [], ...more });
  expect(await driven.prompt(await driven.newSession(), "Go.")).toBe("end_turn");
  return driven;
}

function ends({ updates }: Driven): unknown[] {
  return updatesOf(updates, "tool_call_update")
    .map(({ status }) => status)
    .filter((status) => status === "completed" || status === "failed");
}

function lastError({ updates }: Driven): unknown {
  const { rawOutput = {} } = updatesOf(updates, "tool_call_update").at(-1) ?? {};
  return (rawOutput as { readonly error?: unknown }).error;
}

describe("asking about calls", () => {
  it("shows the call, why it is asked, and the rules that would be stored", async () => {
    const { asked, workspace } = await turn([writeA]);
    const path = join(workspace, "a.txt");
    expect(asked).toMatchObject([
      {
        toolCall: {
          title: "write a.txt",
          kind: "edit",
          locations: [{ path }],
          rawInput: { path: "a.txt", content: "a\n" },
          content: [
            { type: "diff", path, oldText: null, newText: "a\n" },
            { content: { text: "Asked because no rule allows write." } },
          ],
        },
        options: [
          { optionId: "once", kind: "allow_once", name: "Allow once" },
          { kind: "allow_always", name: "Always in this session: write a.txt allow" },
          { kind: "allow_always", name: "Always in this project: write a.txt allow" },
          { kind: "reject_once", name: "Reject" },
          { kind: "reject_always", name: "Always reject in this session: write a.txt deny" },
        ],
      },
    ]);
  });

  it.each(["session", "project"])("stores the rule of an always for the %s", async (scope) => {
    const driven = await turn([writeA, writeA], { decide: () => scope });
    expect(driven.asked).toHaveLength(1);
    expect(ends(driven)).toEqual(["completed", "completed"]);
  });

  it("asks again after a yes or a no that is for once", async () => {
    const driven = await turn([writeA, writeA], {
      decide: ({ options }) => options.find(({ kind }) => kind === "reject_once")?.optionId ?? "",
    });
    expect(driven.asked).toHaveLength(2);
    expect(ends(driven)).toEqual(["failed", "failed"]);
  });

  it("asks no more about a call that is always rejected, but about others", async () => {
    const driven = await turn([writeA, writeA, call("write", { path: "b.txt", content: "b" })], {
      decide: ({ toolCall }) => (toolCall.title === "write a.txt" ? "never" : "once"),
    });
    expect(driven.asked).toHaveLength(2);
    expect(ends(driven)).toEqual(["failed", "failed", "completed"]);
    expect(existsSync(join(driven.workspace, "a.txt"))).toBe(false);
  });

  it.each([
    ["an unknown option", "sudo"],
    ["a cancellation", { outcome: { outcome: "cancelled" } } as const],
    ["nonsense", { outcome: { outcome: "selected" } } as never],
    ["nothing", {} as never],
  ])("treats %s as a rejection", async (_, answer) => {
    const driven = await turn([writeA], { decide: () => answer });
    expect(ends(driven)).toEqual(["failed"]);
    expect(lastError(driven)).toContain("did not decide");
    expect(existsSync(join(driven.workspace, "a.txt"))).toBe(false);
  });

  it("asks about each of several calls at once", async () => {
    const both = calls([
      ["write", { path: "a.txt", content: "a" }],
      ["write", { path: "b.txt", content: "b" }],
    ]);
    const driven = await turn([both], {
      decide: ({ toolCall }) => (toolCall.title === "write a.txt" ? "once" : "reject"),
    });
    expect(ends(driven).sort()).toEqual(["completed", "failed"]);
    expect(existsSync(join(driven.workspace, "b.txt"))).toBe(false);
  });
});

describe("asking questions", () => {
  const questions = [
    { question: "Which?", options: [{ label: "red", description: "warm" }, { label: "blue" }] },
  ];
  const all = [...questions, { question: "Why?" }, { ...questions[0], multi_select: true }];
  const allow = (request: { toolCall: { title?: string | null } }): string =>
    request.toolCall.title === "question" ? "once" : "answer_2";
  const output = ({ updates }: Driven): unknown =>
    updatesOf(updates, "tool_call_update").at(-1)?.rawOutput;

  it("uses a form where the client has forms", async () => {
    const forms: unknown[] = [];
    const driven = await turn([call("question", { questions: all })], {
      capabilities: { elicitation: { form: {} } },
      equip: (app) =>
        app.onRequest(methods.client.elicitation.create, ({ params }) => {
          forms.push(params);
          const content = { answer_1: "red", answer_2: "Because.", answer_3: ["red", "blue"] };
          return { action: "accept", content };
        }),
    });
    expect(output(driven)).toEqual({ answers: [["red"], ["Because."], ["red", "blue"]] });
    expect(forms).toMatchObject([
      {
        mode: "form",
        message: "Which?\nWhy?\nWhich?",
        requestedSchema: {
          properties: {
            answer_1: {
              type: "string",
              oneOf: [
                { const: "red", title: "red", description: "warm" },
                { const: "blue", title: "blue" },
              ],
            },
            answer_2: { type: "string", title: "Why?" },
            answer_3: { type: "array", items: { anyOf: [{ const: "red" }, { const: "blue" }] } },
          },
          required: ["answer_1", "answer_2", "answer_3"],
        },
      },
    ]);
  });

  it.each([{ action: "decline" }, { action: "accept", content: {} }, { action: "later" }] as const)(
    "takes %j for no answer",
    async (answer) => {
      const driven = await turn([call("question", { questions })], {
        capabilities: { elicitation: { form: {} } },
        equip: (app) => app.onRequest(methods.client.elicitation.create, () => answer as never),
      });
      expect(lastError(driven)).toContain("was not answered");
    },
  );

  it("offers a choice where the client has none, and only choices are asked for", async () => {
    const headed = questions.map((question) => ({ ...question, header: "Colour" }));
    const driven = await turn([call("question", { questions: headed })], { decide: allow });
    expect(driven.asked.at(-1)).toMatchObject({
      toolCall: { title: "Colour: Which?" },
      options: [{ name: "red: warm" }, { name: "blue" }, { kind: "reject_once" }],
    });
    expect(output(driven)).toEqual({ answers: [["blue"]] });
    const skipped = await turn([call("question", { questions })], {
      decide: (request) => (allow(request) === "once" ? "once" : "skip"),
    });
    expect(lastError(skipped)).toContain("was not answered");
  });

  it("asks other questions in messages that the next prompts answer, where the client has no forms", async () => {
    const script = [call("question", { questions: all }), say("Done."), say("More.")];
    const driven = await drive({ script, rules: [], decide: allow });
    const id = await driven.newSession();
    const said = (): string =>
      updatesOf(driven.updates, "agent_message_chunk")
        .map(({ content }) => (content.type === "text" ? content.text : ""))
        .join("");
    expect(await driven.prompt(id, "Go.")).toBe("end_turn");
    expect(said()).toBe("\n\nWhy?\n");
    await expect(driven.prompt(id, " ")).rejects.toThrow(/The prompt is empty/u);
    expect(await driven.prompt(id, "Because.")).toBe("end_turn");
    expect(said()).toMatch(
      /Which\?\n {2}\(numbers separated by commas, or your own answer\)\n {2}1 {2}red: warm\n {2}2 {2}blue\n$/u,
    );
    expect(await driven.prompt(id, "2, green")).toBe("end_turn");
    expect(output(driven)).toEqual({ answers: [["blue"], ["Because."], ["blue", "green"]] });
    expect(said()).toMatch(/Done\.$/u);
    expect(await driven.prompt(id, "And now?")).toBe("end_turn");
    expect(said()).toMatch(/More\.$/u);
  });

  it("stops a turn whose question is cancelled, and answers the next prompt", async () => {
    const script = [call("question", { questions: [{ question: "Why?" }] }), say("Done.")];
    const driven = await drive({ script, rules: [], decide: allow });
    const id = await driven.newSession();
    expect(await driven.prompt(id, "Go.")).toBe("end_turn");
    await driven.agent.notify(methods.agent.session.cancel, { sessionId: id });
    expect(await driven.prompt(id, "Something else.")).toBe("end_turn");
    expect(lastError(driven)).toContain("aborted");
  });
});
