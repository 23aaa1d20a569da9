import { ToolError } from "@haft/contract";
import { type Host, headlessHost } from "@haft/core";
import { fromAskAnswer, toAskForm } from "./ask-form.ts";
import type { Elicit } from "./elicit.ts";
import { fromQuestionAnswer, toQuestionForm } from "./question-form.ts";

/** A host that asks through the client which made the call. */
export interface McpHost extends Host {
  /** Says, before a call is made, how the person behind it can be asked. */
  expect(callId: string, elicit: Elicit): void;
  forget(callId: string): void;
}

/** Whom an MCP host asks. */
export interface McpHostOptions {
  /** Asked about calls whose client can't ask its person. Nobody unless said. */
  readonly fallback?: Host;
  /** What clients are asked to put to their person; the rest goes to the fallback. Both unless said. */
  readonly elicits?: readonly ("ask" | "question")[];
}

/** Makes a host for sessions that are served over MCP. Several clients may share one. */
export function createMcpHost(options: McpHostOptions = {}): McpHost {
  const { fallback = headlessHost, elicits = ["ask", "question"] } = options;
  const expected = new Map<string, Elicit>();
  const find = (kind: "ask" | "question", callId: string): Elicit | undefined =>
    elicits.includes(kind) ? expected.get(callId) : undefined;
  return {
    headless: false,
    expect: (callId, elicit) => {
      expected.set(callId, elicit);
    },
    forget: (callId) => {
      expected.delete(callId);
    },
    ask: async (request) => {
      const elicit = find("ask", request.callId);
      if (elicit === undefined) return fallback.ask(request);
      return fromAskAnswer(await elicit(await toAskForm(request), request.signal), request);
    },
    question: async (request) => {
      const elicit = find("question", request.callId);
      if (elicit === undefined) return fallback.question(request);
      const { questions, signal } = request;
      const answer = await elicit(toQuestionForm(questions), signal);
      const given = fromQuestionAnswer(answer, questions);
      if (given !== undefined) return given;
      throw new ToolError("rejected-by-user", "The question was not answered.");
    },
  };
}
