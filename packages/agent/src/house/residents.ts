import type { Host, Session } from "@haft/core";

/** A session in which agents may be spawned. */
export interface Resident {
  readonly session: Session;
  readonly host: Host;
  /** 0 for a primary agent's, or one without an agent. */
  readonly depth: number;
  /** Whose model a subagent without one of its own has; `undefined` in a session without an agent. */
  model(): string | undefined;
  /** Has another primary agent act; absent where nobody can be told to. */
  become?(agent: string): void;
}

/** Who is in the house, by session id. */
export type Residents = Map<string, Resident>;
