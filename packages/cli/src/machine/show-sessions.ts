import { existsSync } from "node:fs";
import type { ThreadSummary, Threads } from "@haft/agent/threads";
import type { CallIndex } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import type { MachineService, MachineSession } from "@haft/platform/internal";
import { findClient } from "../commands/mcp/session-name.ts";
import { joinSessions, type ListedSession } from "../commands/sessions/join-sessions.ts";
import { toMomentJson } from "../commands/sessions/timeline.ts";
import type { MachineRecords } from "./machine-records.ts";
import { fromToken, toToken } from "./page-token.ts";

type Part = Pick<MachineService, "listSessions" | "listWorkspaces" | "getSession" | "listMessages">;

const maxHits = 500;

/** Creates the part of the service that shows sessions. */
export function createSessionPages(records: MachineRecords): Part {
  const { threads } = records;
  const gather = async (): Promise<{ index: CallIndex; sessions: ListedSession[] }> => {
    const index = await records.index();
    const known = { threads: threads.list({ opaque: true }), kept: records.kept() };
    return { index, sessions: joinSessions({ ...known, recorded: index.sums() }) };
  };
  const search = async (
    query: string | undefined,
  ): Promise<ReadonlyMap<string, string> | undefined> => {
    if (query === undefined) return undefined;
    await threads.takeIn();
    const hits = threads.search(query, { limit: maxHits });
    return new Map(hits.map(({ thread, snippet }) => [thread.id, snippet]));
  };

  return {
    listSessions: async ({ limit, continuation_token, query, failed, ...filter }) => {
      const hits = await search(query);
      const { index, sessions } = await gather();
      const live = records.live();
      const sums = index.sums();
      const after = fromToken(continuation_token);
      const found = sessions.filter(
        (session) =>
          isWanted(session, filter, live) &&
          (failed !== true || (sums.get(session.id)?.errors ?? 0) > 0) &&
          (hits === undefined || hits.has(session.id)) &&
          (after === undefined || isAfter(session, after)),
      );
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const hasMore = found.length > limit && last !== undefined;
      return {
        sessions: page.map((session) =>
          toSession(session, { index, sums, live, threads, snippet: hits?.get(session.id) }),
        ),
        has_more: hasMore,
        continuation_token: hasMore ? toToken([last.last_used, last.id]) : null,
      };
    },
    listWorkspaces: async () => {
      const { sessions } = await gather();
      const groups = Map.groupBy(sessions, ({ workspace }) => workspace);
      const agents = sessions.flatMap(({ agent, name }) =>
        [agent ?? findClient(name) ?? []].flat(),
      );
      return {
        agents: [...new Set(agents)].sort(),
        workspaces: Array.from(groups, ([path, own]) => ({
          path,
          exists: existsSync(path),
          sessions: own.length,
          last_used_at: own[0]?.last_used ?? new Date(0).toISOString(),
        })),
      };
    },
    getSession: async (id) => {
      const { index, sessions } = await gather();
      const session = sessions.find((one) => one.id === id);
      if (session === undefined) {
        throw new ToolError("not-found", `There is no session ${JSON.stringify(id)}.`);
      }
      const live = records.live();
      return toSession(session, { index, sums: index.sums(), live, threads, snippet: undefined });
    },
    listMessages: async (id, { after, limit }) => {
      records.require(id);
      const messages: Record<string, unknown>[] = [];
      let last = 0;
      let hasMore = false;
      for (const { at, time, entry } of threads.entries(id, after + 1)) {
        if (entry.kind === "result") continue;
        if (messages.length === limit) {
          hasMore = true;
          break;
        }
        last = at;
        messages.push(toMomentJson({ type: "message", at, time, entry }));
      }
      return {
        messages: messages as unknown as Awaited<
          ReturnType<MachineService["listMessages"]>
        >["messages"],
        has_more: hasMore,
        continuation_token: hasMore ? last : null,
      };
    },
  };
}

type Filter = Omit<
  Parameters<MachineService["listSessions"]>[0],
  "limit" | "continuation_token" | "query" | "failed"
>;

function isWanted(session: ListedSession, filter: Filter, live: ReadonlySet<string>): boolean {
  const { workspace, agent, state, parent, since, until } = filter;
  if (workspace !== undefined && session.workspace !== workspace) return false;
  if (agent !== undefined && session.agent !== agent && findClient(session.name) !== agent) {
    return false;
  }
  if (state !== undefined && live.has(session.id) !== (state === "live")) return false;
  if (session.parent !== parent) return false;
  const at = Date.parse(session.last_used);
  if (since !== undefined && at < Date.parse(since)) return false;
  return until === undefined || at < Date.parse(until);
}

// The order of the list: newest first, then by ID.
function isAfter({ last_used, id }: ListedSession, [time, last]: readonly unknown[]): boolean {
  return last_used === time ? id > String(last) : last_used < String(time);
}

interface SessionContext {
  readonly index: CallIndex;
  readonly sums: ReturnType<CallIndex["sums"]>;
  readonly live: ReadonlySet<string>;
  readonly threads: Threads;
  readonly snippet: string | undefined;
}

function toSession(
  session: ListedSession,
  { index, sums, live, threads, snippet }: SessionContext,
): MachineSession {
  const { id, name, workspace } = session;
  const own = sums.get(id);
  const thread: ThreadSummary | undefined = threads.find(id);
  const { cost, ...tokens } = thread === undefined ? {} : threads.usage({ session: id });
  const times = [own?.firstAt, thread?.createdAt].filter((time) => time !== undefined);
  return {
    ...{ id, name, workspace, workspace_exists: existsSync(workspace) },
    title: session.title ?? null,
    agent: session.agent ?? null,
    client: findClient(name) ?? null,
    state: live.has(id) ? "live" : "ended",
    parent: session.parent ?? null,
    forked_from: session.forked_from ?? null,
    started_at: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
    last_used_at: session.last_used,
    calls: session.calls,
    errors: own?.errors ?? 0,
    changed_files: index.countFiles(id),
    result_tokens: own?.tokens ?? 0,
    usage: thread === undefined ? null : { ...noTokens, ...tokens, cost: cost ?? null },
    snippet: snippet ?? null,
  };
}

const noTokens = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
