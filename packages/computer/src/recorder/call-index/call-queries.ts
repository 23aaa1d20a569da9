import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { CallState, ErrorCode, Isolation } from "@haft/contract";
import type { CallPassage } from "@haft/core";

/** A call in a list. */
export interface ListedCall {
  readonly row: number;
  readonly session: string;
  readonly callId: string;
  /** The row of the call that made it, if that has ended. */
  readonly parent: number | undefined;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly tool: string;
  readonly state: CallState;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly errorCode: ErrorCode | undefined;
  readonly isolation: Isolation | undefined;
  readonly passage: CallPassage | undefined;
  readonly title: string;
  readonly preview: string;
  readonly files: readonly string[];
  readonly changed: number;
  readonly sidecar: string | undefined;
  readonly child: string | undefined;
  readonly tokens: number;
}

/** Sums of a session's calls. */
export interface SessionSums {
  readonly calls: number;
  readonly errors: number;
  /** Estimated tokens of the results that a model saw. */
  readonly tokens: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Which calls of a session to list, in the order in which they started. */
export interface CallFilter {
  readonly session: string;
  readonly states?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  /** Only these. */
  readonly rows?: readonly number[] | undefined;
  /** The last call of the page before. */
  readonly after?: { readonly startedAt: number; readonly row: number } | undefined;
  readonly limit: number;
}

/** A call on a timeline. */
export interface TimedCall
  extends Pick<
    ListedCall,
    "row" | "callId" | "parent" | "tool" | "state" | "startedAt" | "durationMs" | "child"
  > {
  /** Number of files that it changed. */
  readonly changed: number;
  readonly askedMs: number;
  readonly queuedMs: number;
}

/** Which calls to sum. */
export interface CostFilter {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  /** IDs. Default: all. */
  readonly sessions?: readonly string[] | undefined;
}

/** The calls of a tool on a day. */
export interface ToolCost {
  readonly tool: string;
  /** In UTC, such as `2026-01-31`. */
  readonly day: string;
  readonly calls: number;
  readonly errors: number;
  readonly tokens: number;
  readonly durationMs: number;
}

/** Reads the index. None of it reads a whole result. */
export interface CallQueries {
  /** Returns the sums of all sessions with calls, by ID. */
  sums(): ReadonlyMap<string, SessionSums>;
  /** Returns how many files a session has changed. */
  countFiles(session: string): number;
  list(filter: CallFilter): ListedCall[];
  /** Returns the calls after a row, of any session, in the order in which they ended. */
  since(row: number, limit: number): ListedCall[];
  /** Returns one call. */
  find(session: string, row: number): ListedCall | undefined;
  /** Returns the row of the last call with a call ID. */
  findRow(session: string, callId: string): number | undefined;
  /** Returns all calls of a session in the order in which they started. */
  timeline(session: string): TimedCall[];
  /** Returns the rows of a session's calls whose name, title or preview contains a text, in any case. */
  search(session: string, text: string): ReadonlySet<number>;
  cost(filter: CostFilter): ToolCost[];
}

type Row = Readonly<Record<string, SQLOutputValue>>;

// Call IDs may recur. A call usually ends after those that it made; the call of a cell ends before.
const parentOf = `CASE WHEN c.parent_id IS NULL THEN NULL ELSE coalesce(
  (SELECT min(p.row) FROM calls p WHERE p.session = c.session AND p.call_id = c.parent_id AND p.row > c.row),
  (SELECT max(p.row) FROM calls p WHERE p.session = c.session AND p.call_id = c.parent_id AND p.row < c.row)
) END AS parent`;

/** Creates the queries of an index. */
export function createCallQueries(index: DatabaseSync): CallQueries {
  const sums = index.prepare("SELECT * FROM sessions");
  const files = index.prepare("SELECT count(*) AS count FROM files WHERE session = ?");
  const one = index.prepare(`SELECT c.*, ${parentOf} FROM calls c WHERE session = ? AND row = ?`);
  const last = index.prepare("SELECT max(row) AS row FROM calls WHERE session = ? AND call_id = ?");
  const after = index.prepare(
    `SELECT c.*, ${parentOf} FROM calls c WHERE row > ? ORDER BY row LIMIT ?`,
  );
  const page = index.prepare(
    `SELECT c.*, ${parentOf} FROM calls c
     WHERE session = ?1 AND (started_at, row) > (?2, ?3)
       AND (?4 IS NULL OR state IN (SELECT value FROM json_each(?4)))
       AND (?5 IS NULL OR tool IN (SELECT value FROM json_each(?5)))
       AND (?6 IS NULL OR row IN (SELECT value FROM json_each(?6)))
     ORDER BY started_at, row LIMIT ?7`,
  );
  const timed = index.prepare(
    `SELECT row, call_id, tool, state, started_at, duration_ms, asked_ms, queued_ms, changed, child,
       ${parentOf}
     FROM calls c WHERE session = ? ORDER BY started_at, row`,
  );
  const texts = index.prepare(
    "SELECT row, name, tool, title, preview FROM calls WHERE session = ?",
  );
  const costs = index.prepare(
    `SELECT tool, date(started_at / 1000, 'unixepoch') AS day, count(*) AS calls,
       sum(state = 'error') AS errors, sum(tokens) AS tokens, sum(duration_ms) AS duration_ms
     FROM calls WHERE started_at >= ?1 AND started_at < ?2
       AND (?3 IS NULL OR session IN (SELECT value FROM json_each(?3)))
     GROUP BY day, tool ORDER BY day, tool`,
  );
  return {
    sums: () => new Map(sums.all().map((row) => [String(row.session), toSums(row)])),
    countFiles: (session) => Number(files.get(session)?.count),
    list: ({ session, states, tools, rows, after: last, limit }) =>
      page
        .all(
          ...[session, last?.startedAt ?? -1, last?.row ?? -1, toJson(states), toJson(tools)],
          ...[toJson(rows), limit],
        )
        .map(toListed),
    since: (row, limit) => after.all(row, limit).map(toListed),
    find: (session, row) => {
      const found = one.get(session, row);
      return found === undefined ? undefined : toListed(found);
    },
    findRow: (session, callId) => {
      const row = last.get(session, callId)?.row;
      return row == null ? undefined : Number(row);
    },
    timeline: (session) => timed.all(session).map(toTimed),
    search: (session, text) => {
      const wanted = text.toLowerCase();
      const found = texts
        .all(session)
        .filter(({ row: _, ...values }) =>
          Object.values(values).join("\n").toLowerCase().includes(wanted),
        );
      return new Set(found.map(({ row }) => Number(row)));
    },
    cost: ({ since, until, sessions }) =>
      costs.all(since, until, toJson(sessions)).map((row) => ({
        tool: String(row.tool),
        day: String(row.day),
        calls: Number(row.calls),
        errors: Number(row.errors),
        tokens: Number(row.tokens),
        durationMs: Number(row.duration_ms),
      })),
  };
}

function toJson(list: readonly (string | number)[] | undefined): SQLInputValue {
  return list === undefined ? null : JSON.stringify(list);
}

function toSums(row: Row): SessionSums {
  return {
    calls: Number(row.calls),
    errors: Number(row.errors),
    tokens: Number(row.tokens),
    firstAt: Number(row.first_at),
    lastAt: Number(row.last_at),
  };
}

function toTimed(row: Row): TimedCall {
  return {
    row: Number(row.row),
    callId: String(row.call_id),
    parent: row.parent === null ? undefined : Number(row.parent),
    tool: String(row.tool),
    state: row.state as CallState,
    startedAt: Number(row.started_at),
    durationMs: Number(row.duration_ms),
    askedMs: Number(row.asked_ms),
    queuedMs: Number(row.queued_ms),
    changed: Number(row.changed),
    child: text(row.child),
  };
}

function toListed(row: Row): ListedCall {
  return {
    ...toTimed(row),
    session: String(row.session),
    parentId: text(row.parent_id),
    name: String(row.name),
    errorCode: text(row.error_code) as ErrorCode | undefined,
    isolation: text(row.isolation) as Isolation | undefined,
    passage: row.passage === null ? undefined : (JSON.parse(String(row.passage)) as CallPassage),
    title: String(row.title),
    preview: String(row.preview),
    files: JSON.parse(String(row.files)) as string[],
    sidecar: text(row.sidecar),
    tokens: Number(row.tokens),
  };
}

function text(value: SQLOutputValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
