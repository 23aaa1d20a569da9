import type { AgentEvent, AgentListener } from "../loop/agent-event.ts";

/** The session of a subagent and where it belongs. */
export interface ChildSession {
  readonly session: string;
  readonly parent: string;
  /** ID of the parent's call that started it. */
  readonly call: string;
  readonly agent: string;
  readonly thread: string;
  /** Whether its events are reported. */
  readonly isInspectable: boolean;
}

/** The tree of agent sessions and the listeners to their events. */
export interface SessionTree {
  add(child: ChildSession): void;
  remove(session: string): void;
  /** Returns the root of the tree that the session is in. */
  rootOf(session: string): string;
  /** Reports an event of a session to the listeners of all its ancestors. */
  tell(session: string, event: AgentEvent): void;
  /** Reports events of a session's descendants, until the returned function is called. */
  listen(session: string, listener: AgentListener): () => void;
}

/** Creates an empty tree. */
export function createSessionTree(): SessionTree {
  const members = new Map<string, ChildSession>();
  const listeners = new Map<string, Set<AgentListener>>();
  const rootOf = (session: string): string => {
    const parent = members.get(session)?.parent;
    return parent === undefined ? session : rootOf(parent);
  };
  const tell = (session: string, event: AgentEvent): void => {
    const child = members.get(session);
    if (child === undefined || !child.isInspectable) return;
    const { call, agent, thread, parent } = child;
    const told: AgentEvent = { type: "subagent", call, agent, thread, event };
    for (const listener of listeners.get(parent) ?? []) tryTell(listener, told);
    tell(parent, told);
  };
  return {
    add: (child) => {
      members.set(child.session, child);
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
    // A listener that throws must not harm the turn.
  }
}
