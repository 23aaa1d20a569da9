import type { Agent, AgentOptions, PromptOptions } from "./agent.ts";
import type { AgentListener, TurnOutcome } from "./agent-event.ts";
import { createAgentState } from "./agent-state.ts";
import type { PromptPart } from "./prompt-part.ts";
import { runTurn } from "./run-turn.ts";
import { traceTurn } from "./trace-agent.ts";
import { noUsage } from "./usage.ts";

/**
 * Creates an agent from a session, a thread and a role, which names the model.
 *
 * @example
 * ```ts
 * import { createAgent, openModel } from "@haft/agent";
 * import { createMemoryThread } from "@haft/agent/threads";
 * import { openSession } from "haft";
 *
 * const model = await openModel("openai/gpt-5", { settings: {}, environment: process.env });
 * const agent = createAgent({
 *   session: openSession({ workspace: "." }),
 *   thread: createMemoryThread(),
 *   role: () => ({ name: "helper", instructions: "Answer briefly.", model }),
 * });
 * await agent.prompt("What does this project do?");
 * ```
 */
export function createAgent(options: AgentOptions): Agent {
  const { session, thread } = options;
  const state = createAgentState(options);
  let isRunning = false;
  return {
    session,
    thread,
    prompt: async (prompt, { signal, onEvent, awaitsBackground }: PromptOptions = {}) => {
      const content = toParts(prompt);
      if (content.length === 0) return refuse("The prompt is empty. Describe what to do.");
      if (isRunning) return refuse("A turn is already running. Wait until it ends, or abort it.");
      isRunning = true;
      try {
        const turn = { thread: thread.facts.id, prompt: content, emit: toEmit(onEvent) };
        return await traceTurn(session.tracing, turn, (emit) =>
          runTurn(content, state, {
            signal: signal ?? new AbortController().signal,
            emit,
            isHeard: onEvent !== undefined,
            awaitsBackground,
          }),
        );
      } finally {
        isRunning = false;
      }
    },
  };
}

function toParts(prompt: string | readonly PromptPart[]): readonly PromptPart[] {
  const parts = typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : prompt;
  return parts.filter((part) => part.type !== "text" || part.text.trim() !== "");
}

function toEmit(listener: AgentListener | undefined): AgentListener {
  if (listener === undefined) return () => undefined;
  return (event) => {
    try {
      const answer: unknown = listener(event);
      // An unhandled rejection would end the process.
      if (answer instanceof Promise) answer.catch(() => undefined);
    } catch {
      // A listener must not break the turn.
    }
  };
}

function refuse(error: string): TurnOutcome {
  return { reason: "error", text: "", steps: 0, usage: noUsage, error };
}
