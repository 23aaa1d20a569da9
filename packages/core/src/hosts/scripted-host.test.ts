import { describe, expect, it } from "vitest";
import { headlessHost } from "./headless-host.ts";
import type { AskRequest } from "./host.ts";
import { createScriptedHost, type HostScript } from "./scripted-host.ts";

const request: AskRequest = {
  session: "s",
  callId: "c",
  name: "write",
  tool: "write",
  arguments: {},
  reason: "no rule allows write",
  rules: [],
  wouldAllow: async () => ({ calls: 0, count: 0, examples: [] }),
  toWaiting: () => ({ call: undefined, dialect: "portable", shown: "", files: [] }),
  signal: new AbortController().signal,
};

async function answersOf(ask?: HostScript["ask"]): Promise<string[]> {
  const host = createScriptedHost(ask === undefined ? {} : { ask });
  const answers: string[] = [];
  for (let time = 0; time < 3; time++) answers.push((await host.ask(request)).answer);
  expect(host.asked).toEqual([request, request, request]);
  return answers;
}

describe("createScriptedHost", () => {
  it("rejects unless the script says otherwise", async () => {
    expect(await answersOf()).toEqual(["reject", "reject", "reject"]);
  });

  it("gives one answer to all", async () => {
    expect(await answersOf("once")).toEqual(["once", "once", "once"]);
  });

  it("uses up a list of answers, then rejects", async () => {
    expect(await answersOf(["session", "once"])).toEqual(["session", "once", "reject"]);
  });

  it("has a function decide", async () => {
    expect(
      await answersOf(({ tool }) => ({ answer: tool === "write" ? "once" : "reject" })),
    ).toEqual(["once", "once", "once"]);
  });

  it("answers questions, and remembers them", async () => {
    const host = createScriptedHost({
      question: (asked) => asked.map(({ question }) => [question]),
    });
    const questions = [{ question: "why?" }, { question: "how?" }];
    expect(await host.question({ ...request, questions })).toEqual([["why?"], ["how?"]]);
    expect(host.questions).toEqual([questions]);
    expect(await createScriptedHost().question({ ...request, questions })).toEqual([[], []]);
  });
});

describe("headlessHost", () => {
  it("refuses to be asked, and says why the call was", async () => {
    await expect(headlessHost.ask(request)).rejects.toMatchObject({
      code: "headless",
      message: expect.stringContaining("no rule allows write"),
    });
  });

  it("refuses questions always in the same words", async () => {
    await expect(headlessHost.question({ ...request, questions: [] })).rejects.toMatchObject({
      code: "headless",
      message:
        "This session is not interactive, so questions can't be answered. Continue with your best judgement.",
    });
  });
});
