export type {
  Agent,
  AgentLimits,
  AgentOptions,
  AgentRole,
  BackgroundWork,
  PromptOptions,
} from "./loop/agent.ts";
export type {
  AgentEvent,
  AgentListener,
  TurnEnd,
  TurnOutcome,
  Usage,
} from "./loop/agent-event.ts";
export type { PromptPart } from "./loop/prompt-part.ts";
export type { ModelPrice, OpenModel } from "./models/open-model.ts";
