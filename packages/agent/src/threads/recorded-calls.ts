import type { CallRecord } from "@haft/core";

/** Gives recorded calls by their ids, while it reads no further than it has to. */
export interface RecordedCalls {
  /** The record of a call; of calls with the same id, the first time the first. */
  take(callId: string): CallRecord | undefined;
  /** All that were not asked for. */
  rest(): CallRecord[];
}

/** Reads rows in the order in which calls ended, and keeps those that were not asked for yet. */
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
