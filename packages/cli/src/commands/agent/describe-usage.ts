import type { Usage } from "@haft/agent";

/** Describes the usage of one or more turns. */
export function describeUsage(steps: number, usage: Usage): string {
  const tokens = usage.input_tokens + usage.output_tokens;
  const parts = [`${steps} ${steps === 1 ? "step" : "steps"}`, `${tokens} tokens`];
  if (usage.cost !== undefined) parts.push(`cost ${usage.cost.toFixed(4)}`);
  return parts.join(" · ");
}

/** Describes the last request and the cost so far, for the status line. */
export function describeSpending(last: Usage, cost: number | undefined): string {
  const { input_tokens: input, cached_tokens: cached } = last;
  const parts = [`context ${showCount(input)}`];
  if (input > 0) parts.push(`${Math.round((100 * Math.min(cached, input)) / input)}% cached`);
  if (cost !== undefined) parts.push(`cost ${cost.toFixed(4)}`);
  return parts.join(" · ");
}

function showCount(tokens: number): string {
  return tokens < 1_000 ? `${tokens} tokens` : `${(tokens / 1_000).toFixed(1)}k tokens`;
}

/** Adds two usages. The cost is unknown if one of them is. */
export function addUsage(one: Usage, other: Usage): Usage {
  const cost =
    one.cost === undefined || other.cost === undefined ? undefined : one.cost + other.cost;
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    ...(cost !== undefined && { cost }),
  };
}
