import type { ThreadSummary } from "@haft/agent/threads";
import type { SessionSummary } from "@haft/computer/internal";

/** A session in a list. */
export interface ListedSession {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly calls: number;
  readonly last_used: string;
  readonly title?: string | undefined;
  readonly agent?: string | undefined;
  /** The session whose agent started this one. */
  readonly parent?: string | undefined;
  readonly forked_from?: string | undefined;
}

/** What is known about sessions, from three places. */
export interface KnownSessions {
  /** All threads, with opaque ones. */
  readonly threads: readonly ThreadSummary[];
  /** The sessions with a directory. */
  readonly kept: readonly SessionSummary[];
  /** The sessions with recorded calls, by ID. */
  readonly recorded: ReadonlyMap<string, { readonly calls: number; readonly lastAt: number }>;
}

/** Lists all sessions, most recently used first. Those with an opaque thread are left out. */
export function joinSessions({ threads, kept, recorded }: KnownSessions): ListedSession[] {
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  const used = new Map(kept.map(({ id, modifiedMs }) => [id, modifiedMs]));
  const silent = kept.filter(({ id }) => !byId.has(id));
  return [...threads.filter(({ isOpaque }) => isOpaque !== true), ...silent]
    .map((session) => {
      const { id, name, workspace } = session;
      const thread: ThreadSummary | undefined = byId.get(id);
      const times = [used.get(id), recorded.get(id)?.lastAt, thread?.updatedAt];
      return {
        id,
        name,
        workspace,
        calls: recorded.get(id)?.calls ?? thread?.calls ?? 0,
        last_used: new Date(Math.max(...times.map((time) => time ?? 0))).toISOString(),
        title: thread?.title,
        agent: thread?.agent,
        parent: thread?.forkedFrom === undefined ? thread?.parent : undefined,
        forked_from: thread?.forkedFrom,
      };
    })
    .sort((a, b) => compare(b.last_used, a.last_used) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
