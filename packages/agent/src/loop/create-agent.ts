import type { Agent, AgentOptions, PromptOptions } from "./agent.ts";
import type { AgentListener, TurnOutcome } from "./agent-event.ts";
import { createAgentState } from "./agent-state.ts";
import type { PromptPart } from "./prompt-part.ts";
import { runTurn } from "./run-turn.ts";
import { noUsage } from "./usage.ts";

/** Makes an agent of a session, a thread and whoever answers. */
export function createAgent(options: AgentOptions): Agent {
  const { session, thread } = options;
  const state = createAgentState(options);
  let isRunning = false;
  return {
    session,
    thread,
    prompt: async (prompt, { signal, onEvent, awaitsBackground }: PromptOptions = {}) => {
      const content = toParts(prompt);
      if (content.length === 0) return refuse("The prompt is empty. Say what is to be done.");
      if (isRunning) return refuse("A turn is under way already. Wait for its end, or abort it.");
      isRunning = true;
      try {
        return await runTurn(content, state, {
          signal: signal ?? new AbortController().signal,
          emit: toEmit(onEvent),
          isHeard: onEvent !== undefined,
          awaitsBackground,
        });
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
      // A rejection that nobody handles would end the process.
      if (answer instanceof Promise) answer.catch(() => undefined);
    } catch {
      // Whoever listens is not to harm the turn.
    }
  };
}

function refuse(error: string): TurnOutcome {
  return { reason: "error", text: "", steps: 0, usage: noUsage, error };
}
