import { ToolError } from "@haft/contract";
import { type Host, headlessHost } from "@haft/core";
import { fromAskAnswer, toAskForm } from "./ask-form.ts";
import type { Elicit } from "./elicit.ts";
import { fromElicitAnswer, toElicitForm } from "./question-form.ts";

/** A host that asks through the client that made the call. */
export interface McpHost extends Host {
  /** Registers, before a call starts, how its user can be asked. */
  expect(callId: string, elicit: Elicit): void;
  forget(callId: string): void;
  /** Tells whether a question reaches a person, given whether the client shows forms. */
  canQuestion(hasForms: boolean): boolean;
}

/** Options of `createMcpHost`. */
export interface McpHostOptions {
  /** Host for calls whose client can't show forms. Default: a host that refuses every question. */
  readonly fallback?: Host;
  /** What clients are asked; the rest goes to the fallback. Default: approvals and questions. */
  readonly elicits?: readonly ("ask" | "question")[];
}

/**
 * Creates a host for sessions that are served over MCP. Several clients can share one.
 *
 * @example
 * ```ts
 * import { createMcpHost, serveMcpStdio } from "@haft/connect/mcp-server";
 * import { createSession, type SessionOptions } from "@haft/core";
 *
 * declare const options: SessionOptions;
 * const host = createMcpHost();
 * const session = createSession({ ...options, host });
 * await serveMcpStdio({ session, host, version: "1.0.0" }, { signal: new AbortController().signal });
 * ```
 */
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
    canQuestion: (hasForms) =>
      (hasForms && elicits.includes("question")) || fallback.question !== headlessHost.question,
    ask: async (request) => {
      const elicit = find("ask", request.program?.callId ?? request.callId);
      if (elicit === undefined) return fallback.ask(request);
      return fromAskAnswer(await elicit(await toAskForm(request), request.signal), request);
    },
    question: async (request) => {
      const elicit = find("question", request.callId);
      if (elicit === undefined) return fallback.question(request);
      const { questions, signal } = request;
      const answer = await elicit(toElicitForm(questions), signal);
      const given = fromElicitAnswer(answer, questions);
      if (given !== undefined) return given;
      throw new ToolError("rejected-by-user", "The question was not answered.");
    },
  };
}
