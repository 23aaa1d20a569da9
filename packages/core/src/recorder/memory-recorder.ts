import type { CallRecord, RecentCall, Recorder } from "./recorder.ts";

/**
 * Creates a recorder that keeps calls in memory.
 *
 * @example
 * ```ts
 * import { createMemoryRecorder, createReplay } from "@haft/core";
 *
 * const recorder = createMemoryRecorder();
 * // Pass it to createSession({ recorder, … }) and make calls, then:
 * const replay = createReplay(recorder.list("default"));
 * ```
 */
export function createMemoryRecorder(): Recorder {
  const rows: CallRecord[] = [];
  return {
    record: (row) => {
      rows.push(row);
    },
    list: (session) => rows.filter((row) => row.session === session),
    recent: (session, limit) =>
      rows
        .filter((row) => row.session === session)
        .slice(-limit)
        .map(toRecentCall),
    flush: async () => {},
    close: async () => {},
  };
}

function toRecentCall(row: CallRecord): RecentCall {
  const { name, tool, arguments: args, startedAt, state, result } = row;
  const { error_code: errorCode, isolation } = result.metadata;
  return { name, tool, arguments: args, startedAt, state, errorCode, isolation };
}
