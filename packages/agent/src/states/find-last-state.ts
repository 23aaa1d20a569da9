import { isPlainObject } from "@haft/contract/internal";
import { callsOf } from "../threads/entry-calls.ts";
import type { StoredEntry } from "../threads/thread.ts";

/** Returns the state that a conversation entered last, or `undefined` if it entered none. */
export function findLastState(entries: Iterable<StoredEntry>): string | undefined {
  const wanted = new Map<string, string>();
  let last: string | undefined;
  for (const { entry } of entries) {
    for (const { callId, name, input } of callsOf(entry)) {
      const state = isPlainObject(input) ? input.state : undefined;
      if (name === "enter_state" && typeof state === "string") wanted.set(callId, state);
    }
    if (entry.kind === "result" && entry.output.type !== "error-text") {
      last = wanted.get(entry.callId) ?? last;
    }
  }
  return last;
}
