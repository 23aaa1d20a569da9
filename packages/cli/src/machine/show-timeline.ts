import { callsOf, toEntryText } from "@haft/agent/internal/threads";
import type { EntryOutline, Threads } from "@haft/agent/threads";
import type { CallIndex } from "@haft/computer/internal";
import type { MachineService, MachineTimeline, TimelineQuery } from "@haft/platform/internal";
import type { MachineRecords } from "./machine-records.ts";

const maxRows = 100_000;

/** Creates the part of the service that shows the order of calls and messages. */
export function createTimelinePages(records: MachineRecords): Pick<MachineService, "getTimeline"> {
  return {
    getTimeline: async (session, query) => {
      records.require(session);
      const index = await records.index();
      const source = { index, threads: records.threads };
      const rows: Row[] = [];
      for (const row of readRows({ session, parent: undefined }, source, new Set([session]))) {
        rows.push(row);
      }
      const live = records.live();
      const sessions = [...new Set([session, ...rows.map((row) => row.session)])];
      const running = sessions
        .filter((id) => live.has(id))
        .flatMap((id) => listRunning(id, rows, records.threads));
      return toColumns(filterRows(rows, query, source), running);
    },
  };
}

/** A call or a message. */
interface Row {
  readonly session: string;
  /** Row of the call, or `at` of the message. */
  readonly id: number;
  readonly callId: string | undefined;
  /** The row that it is shown below. */
  readonly parent: Row | undefined;
  /** Absent for a message. */
  readonly tool: string | undefined;
  readonly state: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly askedMs: number;
  readonly queuedMs: number;
  readonly changed: number;
}

interface Source {
  readonly index: CallIndex;
  readonly threads: Threads;
}

type SessionCall = ReturnType<CallIndex["timeline"]>[number] & { readonly session: string };

/** Yields the rows of a session, and those of subagents and programs below the calls that made them. */
function* readRows(
  { session, parent }: { readonly session: string; readonly parent: Row | undefined },
  source: Source,
  shown: Set<string>,
): Generator<Row> {
  const calls = readCalls(session, source);
  const known = new Set(calls.map(({ row }) => row));
  const inner = Map.groupBy(calls, ({ parent: by }) =>
    by !== undefined && known.has(by) ? by : undefined,
  );
  const messages = source.threads.outline(session).filter(({ isReadable }) => isReadable);
  function* readCall(call: SessionCall, below: Row | undefined): Generator<Row> {
    const row: Row = { ...call, id: call.row, parent: below };
    yield row;
    const child = findChild(call, source.threads, shown);
    if (child !== undefined) yield* readRows({ session: child, parent: row }, source, shown);
    for (const made of inner.get(call.row) ?? []) yield* readCall(made, row);
  }
  let next = 0;
  // An answer is stored before its calls run.
  for (const call of inner.get(undefined) ?? []) {
    for (let said = messages[next]; said !== undefined && said.time <= call.startedAt; ) {
      yield toMessageRow(said, session, parent);
      said = messages[++next];
    }
    yield* readCall(call, parent);
  }
  for (const said of messages.slice(next)) yield toMessageRow(said, session, parent);
}

// A fork begins with the calls of the original session.
function readCalls(
  session: string,
  source: Source,
  until = Number.POSITIVE_INFINITY,
): SessionCall[] {
  const { forkedFrom, forkedAt = 0 } = source.threads.find(session) ?? {};
  const before =
    forkedFrom === undefined ? [] : readCalls(forkedFrom, source, Math.min(until, forkedAt));
  const own = source.index.timeline(session).filter(({ startedAt }) => startedAt <= until);
  return [...before, ...own.map((call) => ({ ...call, session }))];
}

// What a tool names is only text: it must be a session that this one started. Each is shown once.
function findChild(
  { child, session }: SessionCall,
  threads: Threads,
  shown: Set<string>,
): string | undefined {
  if (child === undefined || shown.has(child)) return undefined;
  const found = threads.find(child);
  if (found?.parent !== session || found.forkedFrom !== undefined || found.isOpaque)
    return undefined;
  shown.add(child);
  return child;
}

function toMessageRow(
  { at, time, kind }: EntryOutline,
  session: string,
  parent: Row | undefined,
): Row {
  return {
    ...{
      session,
      id: at,
      callId: undefined,
      parent,
      tool: undefined,
      state: kind,
      startedAt: time,
    },
    ...{ durationMs: 0, askedMs: 0, queuedMs: 0, changed: 0 },
  };
}

/** Returns the calls that a model requested last and that have not ended. */
function listRunning(
  session: string,
  rows: readonly Row[],
  threads: Threads,
): MachineTimeline["running"] {
  const asked = threads.outline(session).findLast(({ calls }) => calls > 0);
  if (asked === undefined) return [];
  const ended = new Set(
    rows
      .filter((row) => row.session === session && row.startedAt >= asked.time)
      .map(({ callId }) => callId),
  );
  const [stored] = threads.entries(session, asked.at);
  const calls = stored === undefined ? [] : callsOf(stored.entry);
  return calls
    .filter(({ callId }) => !ended.has(callId))
    .map(({ callId, name }) => ({
      ...{ session, call_id: callId, name },
      started_at: new Date(asked.time).toISOString(),
    }));
}

function filterRows(
  rows: readonly Row[],
  { state, tool, changed = false, query }: TimelineQuery,
  source: Source,
): readonly Row[] {
  const isAboutCalls = (state ?? []).length > 0 || (tool ?? []).length > 0 || changed;
  if (!isAboutCalls && query === undefined) return rows;
  const isFound = query === undefined ? () => true : createSearch(query, source);
  return rows.filter(
    (row) =>
      !(isAboutCalls && row.tool === undefined) &&
      isOneOf(row.state, state) &&
      isOneOf(row.tool ?? "", tool) &&
      !(changed && row.changed === 0) &&
      isFound(row),
  );
}

function isOneOf(value: string, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.includes(value);
}

function createSearch(query: string, { index, threads }: Source): (row: Row) => boolean {
  const wanted = query.toLowerCase();
  const found = new Map<string, { calls: ReadonlySet<number>; messages: ReadonlySet<number> }>();
  return ({ session, id, tool }) => {
    let hits = found.get(session);
    if (hits === undefined) {
      const messages = [...threads.entries(session)].filter(({ entry }) =>
        toEntryText(entry).toLowerCase().includes(wanted),
      );
      hits = {
        calls: index.search(session, query),
        messages: new Set(messages.map(({ at }) => at)),
      };
      found.set(session, hits);
    }
    return (tool === undefined ? hits.messages : hits.calls).has(id);
  };
}

function toColumns(all: readonly Row[], running: MachineTimeline["running"]): MachineTimeline {
  const rows = all.slice(0, maxRows);
  const start = rows.reduce(
    (first, { startedAt }) => Math.min(first, startedAt),
    Number.POSITIVE_INFINITY,
  );
  const places = new Map(rows.map((row, place) => [row, place]));
  const [sessions, tools, states] = [new Numbering(), new Numbering(), new Numbering()];
  return {
    started_at: rows.length === 0 ? null : new Date(start).toISOString(),
    id: rows.map(({ id }) => id),
    session: rows.map(({ session }) => sessions.of(session)),
    parent: rows.map((row) => findPlace(row.parent, places)),
    tool: rows.map(({ tool }) => (tool === undefined ? -1 : tools.of(tool))),
    state: rows.map(({ state }) => states.of(state)),
    start_ms: rows.map(({ startedAt }) => startedAt - start),
    duration_ms: rows.map(({ durationMs }) => durationMs),
    asked_ms: rows.map(({ askedMs }) => askedMs),
    queued_ms: rows.map(({ queuedMs }) => queuedMs),
    changed: rows.map(({ changed }) => changed),
    sessions: sessions.names(),
    tools: tools.names(),
    states: states.names(),
    running,
    omitted: all.length - rows.length,
  };
}

// The nearest that a filter kept.
function findPlace(row: Row | undefined, places: ReadonlyMap<Row, number>): number {
  if (row === undefined) return -1;
  return places.get(row) ?? findPlace(row.parent, places);
}

/** Numbers names in the order in which they first occur. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }

  names(): string[] {
    return [...this.#numbers.keys()];
  }
}
