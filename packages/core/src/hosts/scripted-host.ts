import type { Question } from "@haft/contract";
import type { AskAnswer, AskRequest, Host } from "./host.ts";

/** The answers of a scripted host. */
export interface HostScript {
  /** One answer for all calls, a list used in order, or a function. Default: reject. */
  readonly ask?:
    | AskAnswer["answer"]
    | readonly AskAnswer["answer"][]
    | ((request: AskRequest) => AskAnswer | Promise<AskAnswer>);
  readonly question?: (questions: readonly Question[]) => string[][] | Promise<string[][]>;
}

/** A host that answers by script and records what it was asked. */
export interface ScriptedHost extends Host {
  readonly asked: readonly AskRequest[];
  readonly questions: readonly (readonly Question[])[];
}

/**
 * Creates a host that answers by script, for tests and for programs that decide themselves.
 *
 * @example
 * ```ts
 * import { createScriptedHost } from "@haft/core";
 *
 * const host = createScriptedHost({ ask: ["once", "reject"] });
 * host.asked; // the requests so far
 * ```
 */
export function createScriptedHost(script: HostScript = {}): ScriptedHost {
  const asked: AskRequest[] = [];
  const questions: (readonly Question[])[] = [];
  const remaining = Array.isArray(script.ask) ? [...script.ask] : undefined;
  return {
    headless: false,
    asked,
    questions,
    ask: async (request) => {
      asked.push(request);
      if (typeof script.ask === "function") return script.ask(request);
      if (typeof script.ask === "string") return { answer: script.ask };
      return { answer: remaining?.shift() ?? "reject" };
    },
    question: async ({ questions: asked }) => {
      questions.push(asked);
      return script.question?.(asked) ?? asked.map(() => []);
    },
  };
}
