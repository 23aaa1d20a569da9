import type { CallState, JsonValue, Metadata } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { EventMap, Session } from "@haft/core";

/** A summary of a call that ended. */
export interface RecentCall {
  readonly id: string;
  /** As it was called. */
  readonly name: string;
  /** The beginning of the arguments, as JSON. */
  readonly arguments: string;
  readonly state: CallState;
  readonly ended_at: string;
  readonly metadata: Metadata;
  /** The beginning of what went wrong. */
  readonly error_text?: string;
}

const maxCalls = 100;
// A call can carry megabytes; a hundred of them kept whole would fill the memory.
const maxCharacters = 300;

/** Records the calls that end from now on. Returns a function that lists the last ones, newest first. */
export function keepRecentCalls(session: Session): () => readonly RecentCall[] {
  const calls: RecentCall[] = [];
  const keep = (event: EventMap["tool:post"]): void => {
    calls.unshift(toRecentCall(event));
    calls.length = Math.min(calls.length, maxCalls);
  };
  session.on("tool:post", keep);
  session.on("tool:error", keep);
  return () => calls;
}

function toRecentCall({
  callId,
  name,
  state,
  result,
  ...event
}: EventMap["tool:post"]): RecentCall {
  return {
    id: callId,
    name: clip(name),
    arguments: preview(event.arguments),
    state,
    ended_at: new Date().toISOString(),
    metadata: result.metadata,
    ...(result.type === "error" ? { error_text: clip(result.error_text) } : {}),
  };
}

function preview(args: JsonValue): string {
  const json = JSON.stringify(args, (_key, value: JsonValue) =>
    typeof value === "string" ? clip(value) : value,
  );
  return clip(json);
}

function clip(text: string): string {
  return clipText(text, maxCharacters + 1);
}
