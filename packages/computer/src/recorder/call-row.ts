import type { SQLOutputValue } from "node:sqlite";
import type { CallState, ErrorCode, Isolation, JsonValue, ToolResult } from "@haft/contract";
import type { CallPassage, CallRecord, RecentCall } from "@haft/core";

/** The columns of a record, in the order of the table. */
export const callColumns =
  "session, call_id, name, tool, arguments, dialect, started_at, state, result";

/** The columns that are fast to read: without the result and long values. */
export const recentColumns = `name, tool, started_at, state,
  CASE WHEN length(arguments) <= 20000 THEN arguments END AS arguments,
  CASE WHEN state <> 'done' THEN json_extract(result, '$.metadata.error_code') END AS error_code,
  CASE WHEN length(result) <= 20000 THEN json_extract(result, '$.metadata.isolation') END AS isolation`;

/** A call record with its long values cut short. */
export interface RecordedHead {
  /** Ascending in the order in which the calls ended. */
  readonly row: number;
  readonly session: string;
  readonly name: string;
  readonly startedAt: number;
  /** The beginnings of their JSON texts. */
  readonly arguments: string;
  readonly result: string;
}

/** The columns of a head. */
export const headColumns = `id, session, name, started_at,
  substr(arguments, 1, 1000) AS arguments, substr(result, 1, 2000) AS result`;

/** Converts a row of head columns. */
export function fromHeadRow(row: Readonly<Record<string, SQLOutputValue>>): RecordedHead {
  return {
    row: Number(row.id),
    session: String(row.session),
    name: String(row.name),
    startedAt: Number(row.started_at),
    arguments: String(row.arguments),
    result: String(row.result),
  };
}

/** Converts a record to the values of its row, in column order. */
export function toRow(record: CallRecord): (string | number | null)[] {
  return [
    record.session,
    record.callId,
    record.name,
    record.tool ?? null,
    toJson(record.arguments, null),
    record.dialect,
    record.startedAt,
    record.state,
    toJson(
      record.passage === undefined ? record.result : { ...record.result, passage: record.passage },
      unrecordable(record),
    ),
  ];
}

/** Converts a row to the record. */
export function fromRow(row: Readonly<Record<string, SQLOutputValue>>): CallRecord {
  // The passage shares the column of the result, so that other versions of Haft read the recording too.
  const { passage, ...result } = JSON.parse(String(row.result)) as ToolResult & {
    readonly passage?: CallPassage;
  };
  return {
    session: String(row.session),
    callId: String(row.call_id),
    name: String(row.name),
    tool: row.tool === null ? undefined : String(row.tool),
    arguments: JSON.parse(String(row.arguments)) as JsonValue,
    dialect: String(row.dialect),
    startedAt: Number(row.started_at),
    state: row.state as CallState,
    result: result as ToolResult,
    ...(passage !== undefined && { passage }),
  };
}

/** Converts a row of recent columns. */
export function fromRecentRow(row: Readonly<Record<string, SQLOutputValue>>): RecentCall {
  return {
    name: String(row.name),
    tool: row.tool === null ? undefined : String(row.tool),
    arguments:
      row.arguments === null ? undefined : (JSON.parse(String(row.arguments)) as JsonValue),
    startedAt: Number(row.started_at),
    state: row.state as CallState,
    errorCode: row.error_code === null ? undefined : (row.error_code as ErrorCode),
    isolation: row.isolation === null ? undefined : (row.isolation as Isolation),
  };
}

// A tool may return what JSON cannot express; its call is recorded anyway.
function toJson(value: unknown, instead: JsonValue): string {
  try {
    return JSON.stringify(value) ?? JSON.stringify(instead);
  } catch {
    return JSON.stringify(instead);
  }
}

function unrecordable({ result }: CallRecord): JsonValue {
  return {
    type: "error",
    error_text: "The result was not recorded: it can't be written as JSON.",
    metadata: { duration_ms: result.metadata.duration_ms, error_code: "internal" },
  };
}
