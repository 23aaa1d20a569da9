import type { DiskComputer } from "@haft/computer";
import type { Warn } from "@haft/connect";
import type { Tool } from "@haft/contract";

/** Where tools from elsewhere live, and who is told of those that can't be had. */
export interface ToolPlace {
  readonly computer: DiskComputer;
  /** The tools that agents bring. */
  readonly agentTools: readonly Tool[];
  /** Where the user is at home. */
  readonly home: string;
  /** Where Haft keeps what it remembers. */
  readonly state: string;
  readonly warn: Warn;
}
