import { ToolError, type ToolResult } from "@haft/contract";
import type { CallOutcome, CallRequest } from "../path/call.ts";
import { callKey } from "./call-key.ts";
import type { CallRecord } from "./recorder.ts";

/** Answers calls from a recording. */
export interface Replay {
  /** Returns the recorded result of the same call. Repeated calls get the recorded results in order. */
  call(request: CallRequest): Promise<ToolResult>;
  batch(requests: readonly CallRequest[]): Promise<CallOutcome[]>;
  /** Returns everything in the recording in order. */
  all(): CallOutcome[];
}

/**
 * Creates a replay that answers calls from a recording and runs nothing.
 *
 * @example
 * ```ts
 * import { createMemoryRecorder, createReplay } from "@haft/core";
 *
 * const recorder = createMemoryRecorder();
 * const replay = createReplay(recorder.list("default"));
 * const result = await replay.call({ name: "read", arguments: { path: "a.txt" } });
 * ```
 */
export function createReplay(recording: Iterable<CallRecord>): Replay {
  const records = [...recording];
  const remaining = new Map<string, CallRecord[]>();
  for (const record of records) {
    // A program's result holds what became of its calls.
    if (record.result.metadata.parent_id !== undefined) continue;
    const key = callKey(record.name, record.arguments);
    const same = remaining.get(key);
    if (same === undefined) remaining.set(key, [record]);
    else same.push(record);
  }
  const answer = (request: CallRequest): CallOutcome => {
    const record = remaining.get(callKey(request.name, request.arguments ?? {}))?.shift();
    return {
      id: request.id ?? record?.callId ?? "",
      name: request.name,
      result: record?.result ?? notRecorded(request),
    };
  };
  return {
    call: async (request) => answer(request).result,
    batch: async (requests) => requests.map(answer),
    all: () => records.map(({ callId, name, result }) => ({ id: callId, name, result })),
  };
}

function notRecorded(request: CallRequest): ToolResult {
  const error = new ToolError(
    "not-found",
    `The recording has no further call of ${request.name} with these arguments. A replay only answers recorded calls.`,
  );
  return {
    type: "error",
    error_text: error.message,
    metadata: { duration_ms: 0, error_code: error.code },
  };
}
