import type { TurnEnd, Usage } from "./agent-event.ts";
import { type AgentLimits, defaultSteps } from "./agent-limits.ts";

/** Why a turn stops before the model finishes. */
export interface TurnStop {
  readonly reason: TurnEnd;
  /** What happened and what to do. */
  readonly error?: string | undefined;
}

/** Returns the limit that a turn has reached, if any. */
export function findReachedLimit(
  { maxSteps = defaultSteps, maxTokens, maxCost }: AgentLimits,
  { steps, usage }: { readonly steps: number; readonly usage: Usage },
): TurnStop | undefined {
  if (steps >= maxSteps) {
    return stop("max-steps", `after ${steps} requests to the model`, "maxSteps");
  }
  const tokens = usage.input_tokens + usage.output_tokens;
  if (maxTokens !== undefined && tokens >= maxTokens) {
    return stop("max-tokens", `after ${tokens} tokens`, "maxTokens");
  }
  if (maxCost !== undefined && usage.cost !== undefined && usage.cost >= maxCost) {
    return stop("max-cost", `after a cost of ${usage.cost.toFixed(4)}`, "maxCost");
  }
  return undefined;
}

function stop(reason: TurnEnd, when: string, limit: keyof AgentLimits): TurnStop {
  return {
    reason,
    error: `The turn was stopped ${when}, which is its limit. Prompt again to continue, or raise ${limit}.`,
  };
}
