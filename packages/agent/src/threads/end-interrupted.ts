import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { type AskedCall, callsOf } from "./entry-calls.ts";
import type { SizedEntry } from "./take-latest.ts";
import type { ThreadEntry } from "./thread.ts";

/** A call without a known result. */
export interface OpenCall extends AskedCall {
  /** When the model requested it, in milliseconds since the epoch. */
  readonly askedAt: number;
}

/** How open calls are ended. */
export interface Ending {
  /** Returns the result that the model sees. */
  toOutput(call: OpenCall): AiSdkModelOutput;
  readonly turnEnd: ThreadEntry & { readonly kind: "turn-end" };
}

/**
 * Returns the entries that end an interrupted turn; none if it had ended. Given the
 * thread newest first, it reads back only to the last answer.
 */
export function endInterrupted(backwards: Iterable<SizedEntry>, ending: Ending): ThreadEntry[] {
  const came: string[] = [];
  for (const { stored } of backwards) {
    const { entry, time } = stored;
    if (entry.kind === "notice") continue;
    if (entry.kind === "turn-end" || entry.kind === "summary") return [];
    if (entry.kind === "result") {
      came.push(entry.callId);
      continue;
    }
    // The model is not asked again before all calls of this answer have results.
    const open = callsOf(entry).filter(({ callId }) => !came.includes(callId));
    const results = open.map((call) => toResult({ ...call, askedAt: time }, ending));
    return [...results, ending.turnEnd];
  }
  return [];
}

function toResult(call: OpenCall, ending: Ending): ThreadEntry {
  const { callId, name } = call;
  return { kind: "result", callId, name, output: ending.toOutput(call) };
}
