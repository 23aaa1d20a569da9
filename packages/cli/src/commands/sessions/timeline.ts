import { callsOf, createRecordedCalls, toEntryText } from "@haft/agent/internal/threads";
import type { ThreadEntry, Threads } from "@haft/agent/threads";
import type { CallRecord } from "@haft/core";

/** A session that is exported. */
export interface ExportedSession {
  readonly id: string;
  readonly threads: Threads;
}

/** A message or a call. */
export type Moment =
  | {
      readonly type: "call";
      readonly time: number;
      readonly call: CallRecord;
      readonly isInner?: true;
    }
  | {
      readonly type: "message";
      readonly time: number;
      readonly at: number;
      readonly entry: Message;
    };

/** An entry of a thread other than the result of a call. */
export type Message = Exclude<ThreadEntry, { readonly kind: "result" }>;

/**
 * Returns the messages and calls of a session in order of time. Calls of the model follow the answer that
 * requests them, those of a program the program's call; other calls in the session are merged by time.
 */
export function readTimeline(threads: Threads, id: string): Moment[] {
  const recorded = createRecordedCalls(threads.calls(id));
  const thread: Moment[] = [];
  for (const { at, time, entry } of threads.entries(id)) {
    if (entry.kind === "result") continue;
    thread.push({ type: "message", time, at, entry });
    for (const { callId } of callsOf(entry)) {
      const call = recorded.take(callId);
      if (call !== undefined) thread.push(toMoment(call));
    }
  }
  const rest = recorded.rest().sort((a, b) => a.startedAt - b.startedAt);
  const inner = Map.groupBy(rest, ({ result }) => result.metadata.parent_id);
  const others = (inner.get(undefined) ?? []).map(toMoment);
  inner.delete(undefined);
  const moments = merge(thread, others).flatMap((moment): Moment[] => {
    if (moment.type !== "call") return [moment];
    const made = inner.get(moment.call.callId) ?? [];
    inner.delete(moment.call.callId);
    return [moment, ...made.map((call) => ({ ...toMoment(call), isInner: true as const }))];
  });
  // Those of a program whose own call was not recorded.
  const left = [...inner.values()].flat().map(toMoment);
  return left.length === 0 ? moments : merge(moments, left);
}

function toMoment(call: CallRecord): Extract<Moment, { type: "call" }> {
  return { type: "call", time: call.startedAt, call };
}

function merge(moments: readonly Moment[], others: readonly Moment[]): Moment[] {
  const merged: Moment[] = [];
  let next = 0;
  for (const moment of moments) {
    for (let other = others[next]; other !== undefined && other.time < moment.time; ) {
      merged.push(other);
      other = others[++next];
    }
    merged.push(moment);
  }
  return [...merged, ...others.slice(next)];
}

/** Formats a moment for scripts. */
export function toMomentJson(moment: Moment): Record<string, unknown> {
  if (moment.type === "call") return { type: "call", ...toCallJson(moment.call) };
  const { at, time, entry } = moment;
  const common = {
    type: entry.kind,
    at,
    time: new Date(time).toISOString(),
    text: toEntryText(entry),
  };
  switch (entry.kind) {
    case "assistant": {
      const { agent, model, usage } = entry;
      return { ...common, agent, model, usage, calls: callsOf(entry).map(({ callId }) => callId) };
    }
    case "turn-end":
      return { ...common, reason: entry.reason, error: entry.error };
    case "user": {
      const files = entry.content.filter((part) => part.type === "file");
      return files.length === 0
        ? common
        : { ...common, files: files.map(({ mediaType }) => mediaType) };
    }
    default:
      return common;
  }
}

/** Formats a recorded call for scripts. */
export function toCallJson(record: CallRecord): Record<string, unknown> {
  const { callId, name, tool, dialect, startedAt, state, result } = record;
  return {
    id: callId,
    name,
    tool,
    arguments: record.arguments,
    dialect,
    started_at: new Date(startedAt).toISOString(),
    state,
    result,
  };
}
