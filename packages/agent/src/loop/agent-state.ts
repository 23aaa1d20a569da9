import type { OpenModel } from "../models/open-model.ts";
import type { StoredEntry, ThreadEntry } from "../threads/thread.ts";
import type { AgentOptions } from "./agent.ts";
import { type CallIds, createCallIds } from "./call-ids.ts";
import { type ContextBudget, createContextBudget } from "./context-budget.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { createModelTools, type ModelTools } from "./model-tools.ts";
import { createUsageMeter, type UsageMeter } from "./usage-meter.ts";

/** What an agent keeps from turn to turn. */
export interface AgentState {
  readonly options: AgentOptions;
  readonly conversation: Conversation;
  readonly budget: ContextBudget;
  readonly meter: UsageMeter;
  readonly ids: CallIds;
  /** What the person was warned of already. */
  readonly warned: Set<string>;
  tools(form: OpenModel["form"]): ModelTools;
  /** Puts an entry at the end of the thread, and so of the conversation. */
  append(entry: ThreadEntry): void;
  /** Takes over what the thread holds, as much as the model has room for, unless that was done. */
  read(model: OpenModel): void;
  /** Takes over what others put into the thread since it was read. */
  catchUp(): void;
}

const charactersPerToken = 4;

/** Starts with the thread unread. */
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
