import type { DiskComputer } from "@haft/computer";
import type { Warn } from "@haft/connect";
import type { Tool } from "@haft/contract";

/** What opening tool sources needs. */
export interface ToolSourceContext {
  readonly computer: DiskComputer;
  /** The tools of agents. */
  readonly agentTools: readonly Tool[];
  /** The user's home directory. */
  readonly home: string;
  /** Haft's state directory. */
  readonly state: string;
  readonly warn: Warn;
}
