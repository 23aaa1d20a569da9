import type { AgentEvent, AgentListener } from "../loop/agent-event.ts";

/** A subagent's session, and whose it is. */
export interface Kin {
  readonly session: string;
  readonly parent: string;
  /** The parent's call that spawned it. */
  readonly call: string;
  readonly agent: string;
  readonly thread: string;
  /** Else nobody hears what it does. */
  readonly isInspectable: boolean;
}

/** Which session is whose child, and who hears of them. */
export interface Family {
  add(kin: Kin): void;
  remove(session: string): void;
  /** The session above all that are above this one. */
  rootOf(session: string): string;
  /** Tells whoever listens to the parent of this session, and to those above it, what happened in it. */
  tell(session: string, event: AgentEvent): void;
  /** Hears what the children of a session do, until the cleanup. */
  listen(session: string, listener: AgentListener): () => void;
}

/** Keeps track of children. */
export function createFamily(): Family {
  const members = new Map<string, Kin>();
  const listeners = new Map<string, Set<AgentListener>>();
  const rootOf = (session: string): string => {
    const parent = members.get(session)?.parent;
    return parent === undefined ? session : rootOf(parent);
  };
  const tell = (session: string, event: AgentEvent): void => {
    const kin = members.get(session);
    if (kin === undefined || !kin.isInspectable) return;
    const { call, agent, thread, parent } = kin;
    const told: AgentEvent = { type: "subagent", call, agent, thread, event };
    for (const listener of listeners.get(parent) ?? []) tryTell(listener, told);
    tell(parent, told);
  };
  return {
    add: (kin) => {
      members.set(kin.session, kin);
    },
    remove: (session) => {
      members.delete(session);
    },
    rootOf,
    tell,
    listen: (session, listener) => {
      const own = listeners.get(session) ?? new Set();
      listeners.set(session, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(session) === own) listeners.delete(session);
      };
    },
  };
}

function tryTell(listener: AgentListener, event: AgentEvent): void {
  try {
    listener(event);
  } catch {
    // Whoever listens harms no turn.
  }
}
