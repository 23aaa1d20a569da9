import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { type AskedCall, callsOf } from "./entry-calls.ts";
import type { SizedEntry } from "./take-latest.ts";
import type { ThreadEntry } from "./thread.ts";

/** A call that nothing is known to have come back from. */
export interface OpenCall extends AskedCall {
  /** When the model asked for it, in milliseconds since the epoch. */
  readonly askedAt: number;
}

/** What becomes of what was left open. */
export interface Ending {
  /** What the model is told of a call. */
  toOutput(call: OpenCall): AiSdkModelOutput;
  readonly turnEnd: ThreadEntry & { readonly kind: "turn-end" };
}

/**
 * The entries that bring a turn to its end which was left in the middle; none if it had ended. Given the
 * thread newest first, it reads no further back than to the last answer.
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
    // The next answer is not asked for before all calls of this one have come back.
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
