import type { DiskComputer } from "@haft/computer";
import type { Warn } from "@haft/connect";
import type { ForwardCall } from "@haft/connect/published";
import type { Tool } from "@haft/contract";
import type { Tracing } from "@haft/core";

/** What opening tool sources needs. */
export interface ToolSourceContext {
  readonly computer: DiskComputer;
  /** The tools of agents. */
  readonly agentTools: readonly Tool[];
  /** The user's home directory. */
  readonly home: string;
  /** Haft's state directory. */
  readonly state: string;
  /** Hands a conversation over. Default: it can't be handed over. */
  readonly forwardCall?: ForwardCall;
  readonly warn: Warn;
  readonly tracing: Tracing | undefined;
}
