import type { Host, Session } from "@haft/core";
import type { UsageMeter } from "../loop/usage-meter.ts";

/** A session in which agents may be spawned. */
export interface Resident {
  readonly session: Session;
  readonly host: Host;
  /** 0 for a primary agent's, or one without an agent. */
  readonly depth: number;
  /** Whose model a subagent without one of its own has; `undefined` in a session without an agent. */
  model(): string | undefined;
  /** What its subagents use counts for its limits; absent in a session without an agent. */
  readonly meter?: UsageMeter;
  /** Has another primary agent act; absent where nobody can be told to. */
  become?(agent: string): void;
}

/** Who is in the house, by session id. */
export type Residents = Map<string, Resident>;
