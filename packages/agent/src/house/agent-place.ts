import type { DiskComputer } from "@haft/computer";
import type { Session } from "@haft/core";
import type { StateGraph } from "../states/state-graph.ts";
import type { SessionDifference } from "./agent-house.ts";

/** Where agents work. */
export interface AgentPlace {
  readonly computer: DiskComputer;
  /** Opens a session of the workspace, with its tools, rules and recorder. */
  openSession(difference: SessionDifference): Session;
  /** Where threads and recordings are kept. */
  readonly stateDirectory: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `PROVIDER/MODEL`, whatever the settings say. */
  readonly model?: string | undefined;
  /** The graph of states that agents go through, if there is one. */
  graph?(): StateGraph | undefined;
  /** Handed to the provider's package as it is. */
  readonly baseUrl?: string | undefined;
  /** Is told of what was left out and why. */
  warn(message: string): void;
}
