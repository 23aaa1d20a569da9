import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool } from "@haft/contract";
import { createRegistry, createSession, type Session } from "@haft/core";
import { onTestFinished } from "vitest";
import type { OpenModel } from "../../models/open-model.ts";
import { createMemoryThread } from "../../threads/memory-thread.ts";
import type { Thread, ThreadEntry } from "../../threads/thread.ts";
import type { Agent, AgentOptions, PromptOptions } from "../agent.ts";
import type { AgentEvent, TurnOutcome } from "../agent-event.ts";
import { createAgent } from "../create-agent.ts";

/** An agent with everything that can be seen of it. */
export interface TestAgent {
  readonly agent: Agent;
  readonly session: Session;
  readonly thread: Thread;
  /** What happened, oldest first. */
  readonly events: AgentEvent[];
  /** How long it waited before each request that it made again. */
  readonly waits: number[];
  prompt(text: string, options?: PromptOptions): Promise<TurnOutcome>;
  /** What the thread holds. */
  entries(): ThreadEntry[];
}

/** How a test's agent differs from others. */
export interface TestAgentOptions extends Partial<AgentOptions> {
  readonly tools?: readonly Tool[];
}

/** Opens an agent on a session in memory whose every call is allowed; goes with the test. */
export function openTestAgent(model: OpenModel, options: TestAgentOptions = {}): TestAgent {
  const { tools = [], ...rest } = options;
  const session =
    options.session ??
    createSession({
      registry: createRegistry(tools),
      computer: createMemoryComputer({ files: { "a.txt": "alpha\nbeta\n" } }),
      rules: [{ permission: "*", pattern: "**", action: "allow" }],
    });
  onTestFinished(() => session.close());
  const thread = options.thread ?? createMemoryThread();
  const events: AgentEvent[] = [];
  const waits: number[] = [];
  const agent = createAgent({
    session,
    thread,
    role: () => ({ name: "build", model, instructions: "Be good." }),
    wait: async (ms) => {
      waits.push(ms);
    },
    ...rest,
  });
  return {
    agent,
    session,
    thread,
    events,
    waits,
    prompt: (text, prompting = {}) =>
      agent.prompt(text, {
        ...prompting,
        onEvent: (event) => {
          events.push(event);
          prompting.onEvent?.(event);
        },
      }),
    entries: () => Array.from(thread.entries(), ({ entry }) => entry),
  };
}

/** The events of one kind. */
export function eventsOf<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { readonly type: Type }>[] {
  return events.filter(
    (event): event is Extract<AgentEvent, { readonly type: Type }> => event.type === type,
  );
}
