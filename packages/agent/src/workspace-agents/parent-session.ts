import type { Host, Session } from "@haft/core";
import type { UsageMeter } from "../loop/usage-meter.ts";
import type { OpenAgentSession } from "./workspace-agents.ts";

/** A session in which subagents may be started. */
export interface ParentSession {
  readonly session: Session;
  readonly host: Host;
  /** Opens the sessions of its subagents. */
  readonly openSession: OpenAgentSession;
  /** Whether it works on a layer, which its subagents share. */
  readonly isIsolated?: boolean;
  /** 0 for the session of a primary agent or one without an agent. */
  readonly depth: number;
  /** The model of subagents that name none. `undefined` in a session without an agent. */
  model(): string | undefined;
  /** Counts the usage of its subagents too. Absent in a session without an agent. */
  readonly meter?: UsageMeter;
  /** Switches to another primary agent. Absent in sessions that have none. */
  become?(agent: string): void;
}

/** The sessions in which subagents may be started, by session ID. */
export type ParentSessions = Map<string, ParentSession>;
