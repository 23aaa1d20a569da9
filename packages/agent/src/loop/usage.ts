import type { LanguageModelUsage } from "ai";
import { costOf } from "../models/cost-of.ts";
import type { ModelPrice } from "../models/open-model.ts";
import type { Usage } from "./agent-event.ts";

/** What is used before anything is. */
export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

/** What a request used, as far as the provider tells; the rest as it was estimated. */
export function toUsage(
  told: LanguageModelUsage | undefined,
  estimate: { readonly input: number; readonly output: number },
  price: ModelPrice | undefined,
): Usage {
  const usage: Usage = {
    input_tokens: told?.inputTokens ?? estimate.input,
    output_tokens: told?.outputTokens ?? estimate.output,
    cached_tokens: told?.inputTokenDetails?.cacheReadTokens ?? 0,
  };
  return price === undefined ? usage : { ...usage, cost: costOf(usage, price) };
}

/** Both together. */
export function addUsage(one: Usage, other: Usage): Usage {
  const hasCost = one.cost !== undefined || other.cost !== undefined;
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    ...(hasCost && { cost: (one.cost ?? 0) + (other.cost ?? 0) }),
  };
}
