import type { JsonValue } from "@haft/contract";
import type { ThreadEntry } from "./thread.ts";

/** A call that the model requested. */
export interface AskedCall {
  readonly callId: string;
  readonly name: string;
  readonly input: JsonValue;
}

/** Returns the calls of an entry in order, without those that the provider runs itself. */
export function callsOf(entry: ThreadEntry): AskedCall[] {
  if (entry.kind !== "assistant") return [];
  return entry.content.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [{ callId: part.toolCallId, name: part.toolName, input: part.input as JsonValue }]
      : [],
  );
}
