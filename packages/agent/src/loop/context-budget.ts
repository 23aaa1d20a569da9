import type { OpenModel } from "../models/open-model.ts";

/** Knows how much a model can be sent, and learns how good the estimates are. */
export interface ContextBudget {
  /** How many tokens can be sent at most. */
  limit(model: OpenModel): number;
  /** An estimate, put right by what providers told of earlier ones. */
  correct(tokens: number): number;
  /** The other way round: what an estimate has to be for so many tokens. */
  estimateFor(tokens: number): number;
  /** Notes what a request was estimated at, and what the provider counted. */
  learn(estimated: number, counted: number | undefined): void;
  /** Notes that a request so large was refused. */
  refused(model: OpenModel, estimated: number): void;
}

const defaultOutput = 8192;
// Estimates of a quarter of the characters are good for English; for Chinese they are four times too low.
const leastFactor = 0.75;
const mostFactor = 5;

/** Starts with estimates as they are. */
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
      factor = Math.min(Math.max(counted / estimated, leastFactor), mostFactor);
    },
    refused: ({ name }, estimated) => {
      const size = estimated * factor * 0.9;
      refusedAt.set(name, Math.min(size, refusedAt.get(name) ?? size));
    },
  };
}
