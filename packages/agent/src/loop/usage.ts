import type { LanguageModelUsage } from "ai";
import type { ModelPrice } from "../models/open-model.ts";
import type { Usage } from "./agent-event.ts";

/** Usage of zero. */
export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

/** Returns the usage of a request as the provider reports it, with estimates where it does not. */
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

/** Adds two usages. */
export function addUsage(one: Usage, other: Usage): Usage {
  const hasCost = one.cost !== undefined || other.cost !== undefined;
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    ...(hasCost && { cost: (one.cost ?? 0) + (other.cost ?? 0) }),
  };
}

/** Returns the cost of a usage, in the currency of the price. */
export function costOf(
  usage: Pick<Usage, "input_tokens" | "output_tokens" | "cached_tokens">,
  price: ModelPrice,
): number {
  // Cached tokens are part of the input, whatever a provider reports.
  const cached = Math.min(usage.cached_tokens, usage.input_tokens);
  const fresh = usage.input_tokens - cached;
  const total =
    fresh * price.input +
    cached * (price.cached ?? price.input) +
    usage.output_tokens * price.output;
  return total / 1_000_000;
}
