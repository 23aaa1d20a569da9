export type {
  Agent,
  AgentOptions,
  AgentRole,
  BackgroundWork,
  PromptOptions,
} from "./loop/agent.ts";
export type { AgentEvent, AgentListener, TurnEnd, TurnOutcome, Usage } from "./loop/agent-event.ts";
export type { AgentLimits } from "./loop/agent-limits.ts";
export { createAgent } from "./loop/create-agent.ts";
export type { PromptPart } from "./loop/prompt-part.ts";
export type { AgentManifest, AgentMode } from "./manifests/agent-manifest.ts";
export type { ModelPrice, OpenModel } from "./models/open-model.ts";
export { openModel } from "./models/open-model-by-name.ts";
export type { StoredEntry, Thread, ThreadEntry, ThreadFacts } from "./threads/thread.ts";
export type { ThreadHit, ThreadSummary, Threads } from "./threads/threads.ts";
export type { StartedAgent } from "./workspace-agents/workspace-agents.ts";
