import type { CallState, JsonValue, Metadata } from "@haft/contract";
import type { EventMap, Session } from "@haft/core";

/** A call that ended, in short. */
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

const mostCalls = 100;
// A call can carry megabytes; a hundred of them kept whole would fill the memory.
const mostCharacters = 300;

/** Keeps the calls that end from now on, and gives the last of them, newest first. */
export function keepRecentCalls(session: Session): () => readonly RecentCall[] {
  const calls: RecentCall[] = [];
  const keep = (event: EventMap["tool:post"]): void => {
    calls.unshift(toRecentCall(event));
    calls.length = Math.min(calls.length, mostCalls);
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
  if (text.length <= mostCharacters) return text;
  return `${text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, "")}…`;
}
