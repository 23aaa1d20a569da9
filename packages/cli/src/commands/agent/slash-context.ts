import type { StartedAgent, Usage } from "@haft/agent";
import type { JsonValue } from "@haft/contract";
import type { AgentWorkspace } from "../../agents/open-agents.ts";

/** What slash commands work on. */
export interface SlashContext {
  readonly agent: StartedAgent;
  readonly source: Pick<
    AgentWorkspace,
    "threads" | "manifests" | "root" | "listSkills" | "entries" | "calls" | "fork"
  >;
  /** The usage since the program started. */
  readonly used: { readonly steps: number; readonly usage: Usage };
  say(line: string): void;
  /** Makes a call and prints its result; `false` if it failed. */
  call(name: string, args?: Readonly<Record<string, JsonValue>>): Promise<boolean>;
}

/** How the conversation proceeds: in which session, if in another one. */
export type SlashEffect = "stay" | "leave" | "new" | { readonly session: string };
