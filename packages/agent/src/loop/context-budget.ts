import type { OpenModel } from "../models/open-model.ts";

/** Tracks the context size of a model and the accuracy of token estimates. */
export interface ContextBudget {
  /** Maximum number of tokens that can be sent. */
  limit(model: OpenModel): number;
  /** Corrects an estimate by the counts that providers reported for earlier ones. */
  correct(tokens: number): number;
  /** The inverse: returns the estimate that corresponds to a number of tokens. */
  estimateFor(tokens: number): number;
  /** Records the estimate of a request and the provider's count. */
  learn(estimated: number, counted: number | undefined): void;
  /** Records that a request of this size was refused. */
  refused(model: OpenModel, estimated: number): void;
}

const defaultOutput = 8192;
// A quarter of the characters is a good estimate for English; for Chinese it is four times too low.
const leastFactor = 0.75;
const maxFactor = 5;

/** Creates a budget that does not correct estimates yet. */
export function createContextBudget(): ContextBudget {
  const refusedAt = new Map<string, number>();
  let factor = 1;
  return {
    limit: ({ name, contextTokens, outputTokens = defaultOutput }) => {
      const reserve = Math.min(outputTokens, contextTokens / 4);
      const known = refusedAt.get(name) ?? Number.POSITIVE_INFINITY;
      return Math.floor(Math.min(contextTokens - reserve, known));
    },
    correct: (tokens) => tokens * factor,
    estimateFor: (tokens) => tokens / factor,
    learn: (estimated, counted) => {
      if (!counted || estimated === 0) return;
      factor = Math.min(Math.max(counted / estimated, leastFactor), maxFactor);
    },
    refused: ({ name }, estimated) => {
      const size = estimated * factor * 0.9;
      refusedAt.set(name, Math.min(size, refusedAt.get(name) ?? size));
    },
  };
}
