import type { SqliteRecorder } from "@haft/computer";
import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { ToolResult } from "@haft/contract";
import type { Ending, OpenCall } from "./end-interrupted.ts";

/** Converts a result to what the model sees. */
export type RenderResult = (result: ToolResult) => AiSdkModelOutput;

/** Where the calls of a session are recorded. */
export interface Recording {
  readonly session: string;
  readonly recorder: SqliteRecorder | undefined;
  readonly render: RenderResult;
}

const interruptedText =
  "The process ended while this call was running. It may have taken effect, completely or in part. It was not run again: check the current state before you repeat it.";

/**
 * Ends a turn that a process left unfinished: calls that had ended get their recorded results, the others
 * get errors, which are recorded.
 */
export function endAfterCrash({ session, recorder, render }: Recording): Ending {
  const failure: ToolResult = {
    type: "error",
    error_text: interruptedText,
    metadata: { duration_ms: 0, error_code: "interrupted" },
  };
  const toResult = ({ callId, name, input, askedAt }: OpenCall): ToolResult => {
    const recorded = recorder?.find({ session, callId, since: askedAt });
    if (recorded !== undefined) return recorded.result;
    recorder?.record({
      session,
      callId,
      name,
      tool: undefined,
      arguments: input,
      dialect: "unknown",
      startedAt: askedAt,
      state: "error",
      result: failure,
    });
    return failure;
  };
  return {
    toOutput: (call) => render(toResult(call)),
    turnEnd: { kind: "turn-end", reason: "error", error: "interrupted" },
  };
}

/** Ends a turn that was unfinished when the thread was forked. */
export const endAtFork: Ending = {
  toOutput: () => ({
    type: "error-text",
    value:
      "The thread was forked here before this call had a result. It may have taken effect: check the current state before you repeat it.",
  }),
  turnEnd: { kind: "turn-end", reason: "aborted" },
};
