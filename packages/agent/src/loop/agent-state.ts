import type { OpenModel } from "../models/open-model.ts";
import type { StoredEntry, ThreadEntry } from "../threads/thread.ts";
import type { AgentOptions } from "./agent.ts";
import { type CallIds, createCallIds } from "./call-ids.ts";
import { type ContextBudget, createContextBudget } from "./context-budget.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { createModelTools, type ModelTools } from "./model-tools.ts";
import { createUsageMeter, type UsageMeter } from "./usage-meter.ts";

/** State of an agent that lasts from turn to turn. */
export interface AgentState {
  readonly options: AgentOptions;
  readonly conversation: Conversation;
  readonly budget: ContextBudget;
  readonly meter: UsageMeter;
  readonly ids: CallIds;
  /** Warnings that were shown already. */
  readonly warned: Set<string>;
  tools(form: OpenModel["form"], model?: OpenModel["model"]): ModelTools;
  /** Appends an entry to the thread and the conversation. */
  append(entry: ThreadEntry): void;
  /** Loads the thread into the conversation, as much as fits the model's context, unless it is loaded. */
  read(model: OpenModel): void;
  /** Loads entries that others added to the thread. */
  catchUp(): void;
}

const charactersPerToken = 4;

/** Creates the state of an agent. The thread is read later. */
export function createAgentState(options: AgentOptions): AgentState {
  const { session, thread } = options;
  const conversation = createConversation();
  const ids = createCallIds();
  let readTo: number | undefined;

  const take = ({ at, entry }: StoredEntry): void => {
    readTo = at;
    conversation.add(entry);
    if (entry.kind !== "assistant") return;
    for (const part of entry.content) if (part.type === "tool-call") ids.note(part.toolCallId);
  };

  return {
    options,
    conversation,
    budget: createContextBudget(),
    meter: options.meter ?? createUsageMeter(options.limits ?? {}),
    ids,
    warned: new Set(),
    tools: createModelTools(session),
    append: (entry) => {
      const stored = thread.append(entry);
      if (readTo !== undefined) take(stored);
    },
    read: ({ contextTokens }) => {
      if (readTo !== undefined) return;
      readTo = 0;
      for (const stored of thread.latest(contextTokens * charactersPerToken)) take(stored);
    },
    catchUp: () => {
      if (readTo === undefined) return;
      for (const stored of thread.entries(readTo + 1)) take(stored);
    },
  };
}
