import type { CallRecord } from "@haft/core";

/** Looks up recorded calls by ID, reading no further than necessary. */
export interface RecordedCalls {
  /** Returns the record of a call. For repeated IDs, each lookup returns the next record. */
  take(callId: string): CallRecord | undefined;
  /** Returns the records that were not looked up. */
  rest(): CallRecord[];
}

/** Reads records in the order in which calls ended, and keeps those that were not looked up yet. */
export function createRecordedCalls(rows: Iterable<CallRecord>): RecordedCalls {
  const iterator = rows[Symbol.iterator]();
  const waiting = new Map<string, CallRecord[]>();
  return {
    take: (callId) => {
      const known = waiting.get(callId);
      if (known !== undefined) {
        const [first, ...others] = known;
        if (others.length === 0) waiting.delete(callId);
        else waiting.set(callId, others);
        return first;
      }
      for (let next = iterator.next(); !next.done; next = iterator.next()) {
        if (next.value.callId === callId) return next.value;
        waiting.set(next.value.callId, [...(waiting.get(next.value.callId) ?? []), next.value]);
      }
      return undefined;
    },
    rest: () => {
      const rest = [...waiting.values()].flat();
      waiting.clear();
      for (let next = iterator.next(); !next.done; next = iterator.next()) rest.push(next.value);
      return rest;
    },
  };
}
