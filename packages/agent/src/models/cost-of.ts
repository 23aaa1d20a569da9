import type { Usage } from "../loop/agent-event.ts";
import type { ModelPrice } from "./open-model.ts";

/** What was used costs so much, in the currency of the price. */
export function costOf(
  usage: Pick<Usage, "input_tokens" | "output_tokens" | "cached_tokens">,
  price: ModelPrice,
): number {
  // What was there from before is part of the input, whatever a provider says.
  const cached = Math.min(usage.cached_tokens, usage.input_tokens);
  const fresh = usage.input_tokens - cached;
  const total =
    fresh * price.input +
    cached * (price.cached ?? price.input) +
    usage.output_tokens * price.output;
  return total / 1_000_000;
}
