import type { Usage } from "@haft/agent";

/** What a turn, or several, used, in words. */
export function describeUsage(steps: number, usage: Usage): string {
  const tokens = usage.input_tokens + usage.output_tokens;
  const parts = [`${steps} ${steps === 1 ? "step" : "steps"}`, `${tokens} tokens`];
  if (usage.cost !== undefined) parts.push(`cost ${usage.cost.toFixed(4)}`);
  return parts.join(" · ");
}

/** The usage of two together; a cost that one does not know is not known. */
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
