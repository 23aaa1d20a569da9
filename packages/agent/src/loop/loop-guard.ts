import { isDeepStrictEqual } from "node:util";
import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { ModelCall } from "./model-answer.ts";

/** Notices when a model does the same over and over. */
export interface LoopGuard {
  /** Counts how often in a row these calls came back with these results. */
  count(calls: readonly ModelCall[], outputs: readonly AiSdkModelOutput[]): number;
}

/** So often the model is told, and so often the turn ends. */
export const loopLimits: { readonly tell: number; readonly end: number } = { tell: 3, end: 6 };

/** Starts with a new turn. */
export function createLoopGuard(): LoopGuard {
  let lastCalls: string | undefined;
  let lastOutputs: readonly AiSdkModelOutput[] = [];
  let times = 0;
  return {
    count: (calls, outputs) => {
      const made = JSON.stringify(calls.map(({ name, input }) => [name, input]));
      const isSame = made === lastCalls && isDeepStrictEqual(outputs, lastOutputs);
      times = isSame ? times + 1 : 1;
      lastCalls = made;
      lastOutputs = outputs;
      return times;
    },
  };
}
