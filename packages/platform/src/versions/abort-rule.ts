import { Problem } from "../problem.ts";
import type { CanaryRow } from "../store/schema.ts";

/** The calls and errors of a canary and of the version that it is compared to. */
export type CanaryCounts = Pick<CanaryRow, "calls" | "errors" | "stable_calls" | "stable_errors">;

/** When a canary is taken back. */
export interface AbortRule {
  /** As it is shown: `errors > 2x`. */
  readonly text: string;
  isBroken(counts: CanaryCounts): boolean;
}

const form = /^\s*errors\s*>\s*(\d{1,4}(?:\.\d{1,4})?)\s*(x|%)\s*$/u;

// With fewer calls, a canary is never taken back.
const minCalls = 3;
// How often chance may have a canary taken back that is just within its rule, per comparison.
const maxChance = 0.01;
// From here on the rates are compared as they are.
const maxTested = 1_000;

/**
 * Parses `errors > 2x` (relative to the version that `latest` names) or `errors > 5%`. Throws a
 * `Problem` 400.
 */
export function toAbortRule(text: string): AbortRule {
  const [, digits = "", unit] = form.exec(text) ?? [];
  const limit = Number(digits);
  if (digits === "" || (unit === "x" ? limit < 1 : limit > 100)) {
    throw new Problem(
      400,
      `${JSON.stringify(text)} is not a rule for a canary. Write errors > 2x (twice the error rate of the latest version; at least 1x) or errors > 5%.`,
    );
  }
  return {
    text: `errors > ${limit}${unit}`,
    isBroken: (counts) => {
      const { calls, errors } = counts;
      if (calls < minCalls) return false;
      const rate = unit === "x" ? limit * toRate(counts) : limit / 100;
      if (errors / calls <= rate) return false;
      return calls > maxTested || tail(calls, errors, rate) < maxChance;
    },
  };
}

/** The error rate of the stable version. A few calls without an error do not prove a rate of zero. */
function toRate({ stable_calls: calls, stable_errors: errors }: CanaryCounts): number {
  return (errors + 1) / (calls + 2);
}

/** The chance of at least this many errors in so many calls if each fails at this rate. */
function tail(calls: number, errors: number, rate: number): number {
  if (rate >= 1) return 1;
  if (rate <= 0) return 0;
  // Logarithms, because the terms are too small for numbers.
  let term = errors * Math.log(rate) + (calls - errors) * Math.log(1 - rate);
  for (let index = 1; index <= errors; index += 1) {
    term += Math.log(calls - errors + index) - Math.log(index);
  }
  let sum = 0;
  for (let count = errors; count <= calls; count += 1) {
    sum += Math.exp(term);
    term += Math.log(((calls - count) * rate) / ((count + 1) * (1 - rate)));
  }
  return sum;
}
