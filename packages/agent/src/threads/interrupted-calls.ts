import type { SqliteRecorder } from "@haft/computer";
import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { ToolResult } from "@haft/contract";
import type { Ending, OpenCall } from "./end-interrupted.ts";

/** Makes of a result what a model sees. */
export type RenderResult = (result: ToolResult) => AiSdkModelOutput;

/** Where the calls of a session are recorded. */
export interface Recording {
  readonly session: string;
  readonly recorder: SqliteRecorder | undefined;
  readonly render: RenderResult;
}

const interruptedText =
  "The process ended while this call was under way. It may have taken effect, wholly or in part. It was not made again: look at what is there before you repeat it.";

/**
 * How a turn ends that a process left in the middle: calls that had ended come back with what was
 * recorded, the others as errors, which are recorded then.
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

/** How a turn ends in the middle of which a thread was forked. */
export const endAtFork: Ending = {
  toOutput: () => ({
    type: "error-text",
    value:
      "The thread was forked here, before this call came back. It may have taken effect all the same: look at what is there before you repeat it.",
  }),
  turnEnd: { kind: "turn-end", reason: "aborted" },
};
