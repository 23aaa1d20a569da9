import { createMemoryComputer } from "@haft/computer/memory";
import { type Question, ToolError } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import {
  createRegistry,
  createScriptedHost,
  createSession,
  type Host,
  headlessHost,
  type Session,
} from "@haft/core";
import { describe, expect, it } from "vitest";
import { question } from "./question.ts";

const color: Question = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "red", description: "Like fire." }, { label: "blue" }],
  multi_select: true,
};

function ask(questions: readonly Question[], answers: string[][]) {
  const asked: (readonly Question[])[] = [];
  const host = {
    question: async (all: readonly Question[]) => {
      asked.push(all);
      return answers;
    },
  };
  return {
    asked,
    data: question.execute({ questions: [...questions] }, createTestRuntime({ host })),
  };
}

describe("question", () => {
  it("hands the questions over as they are and gives one array of answers for each", async () => {
    const { asked, data } = ask([color, { question: "Why?" }], [["red", "blue"], ["Because."]]);
    expect(await data).toEqual({ answers: [["red", "blue"], ["Because."]] });
    expect(asked).toEqual([[color, { question: "Why?" }]]);
  });

  it("gives an empty array for what was not answered", async () => {
    const { data } = ask([{ question: "a?" }, { question: "b?" }], [["x"]]);
    expect(await data).toEqual({ answers: [["x"], []] });
  });

  it("passes on the refusal of a host without a person", async () => {
    await expect(
      question.execute({ questions: [color] }, createTestRuntime()),
    ).rejects.toMatchObject({
      code: "headless",
      message:
        "This session is not interactive, so questions can't be answered. Continue with your best judgement.",
    });
  });

  it("refuses two options of one name", async () => {
    const twins = { question: "a?", options: [{ label: "x" }, { label: "x" }] };
    await expect(ask([twins], []).data).rejects.toMatchObject({
      code: "invalid-arguments",
      message: 'Two options of "a?" have the label "x". Give each option a different label.',
    });
  });

  it("asks nothing when it is already aborted", async () => {
    const runtime = createTestRuntime({ signal: AbortSignal.abort() });
    await expect(question.execute({ questions: [color] }, runtime)).rejects.toMatchObject({
      code: "cancelled",
    });
  });

  it("has as much time as a person takes, and asks one thing after the other", () => {
    expect(question.timeoutMs).toBe("none");
    expect(question.execution?.resourceKeys?.({ questions: [color] })).toEqual([
      { key: "question", mode: "write", type: "name" },
    ]);
  });
});

function open(host: Host): Session {
  const registry = createRegistry([question]);
  return createSession({ registry, computer: createMemoryComputer(), host });
}

describe("question in a session", () => {
  it("reaches the host without approval", async () => {
    const host = createScriptedHost({ question: (asked) => asked.map(() => ["blue"]) });
    const session = open(host);
    const call = { name: "question", arguments: { questions: [color] } as never };
    expect(await session.call(call)).toMatchObject({ data: { answers: [["blue"]] } });
    expect(host.asked).toEqual([]);
    expect(host.questions).toEqual([[color]]);
  });

  it("is refused with the same message if it is not interactive", async () => {
    const session = open(headlessHost);
    const call = { name: "question", arguments: { questions: [color] } as never };
    expect(await session.call(call)).toMatchObject({
      type: "error",
      error_text: expect.stringContaining("not interactive"),
      metadata: { error_code: "headless" },
    });
  });
});

describeToolContract(question, [
  {
    name: "a question",
    arguments: { questions: [color] },
    runtime: () => createTestRuntime({ host: { question: async (all) => all.map(() => ["red"]) } }),
    expect: { data: { answers: [["red"]] } },
  },
  {
    name: "a session that is not interactive",
    arguments: { questions: [{ question: "Why?" }] },
    expect: { error: "headless" },
  },
  {
    name: "a host that fails",
    arguments: { questions: [{ question: "Why?" }] },
    runtime: () =>
      createTestRuntime({
        host: {
          question: async () => {
            throw new ToolError("rejected-by-user", "The person turned away.");
          },
        },
      }),
    expect: { error: "rejected-by-user" },
  },
  { name: "no questions", arguments: { questions: [] }, expect: { error: "invalid-arguments" } },
  {
    name: "eleven questions",
    arguments: { questions: Array.from({ length: 11 }, () => color) },
    expect: { error: "invalid-arguments" },
  },
  {
    name: "an empty question",
    arguments: { questions: [{ question: "" }] },
    expect: { error: "invalid-arguments" },
  },
  {
    name: "an unknown field",
    arguments: { questions: [{ question: "a?", multiSelect: true }] },
    expect: { error: "invalid-arguments" },
  },
]);
