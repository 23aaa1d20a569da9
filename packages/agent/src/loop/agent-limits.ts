/** Limits of an agent. Tokens and cost are unlimited by default. */
export interface AgentLimits {
  /** Maximum number of model requests per turn. Default: 200. */
  readonly maxSteps?: number | undefined;
  /** Maximum number of input and output tokens per turn. */
  readonly maxTokens?: number | undefined;
  /** Maximum cost of a turn, in the currency of the prices. */
  readonly maxCost?: number | undefined;
  /** Maximum number of retries of a failed request. Default: 4. */
  readonly retries?: number | undefined;
}

/** Default maximum number of model requests per turn. */
export const defaultSteps = 200;

/** Default maximum number of retries. */
export const defaultRetries = 4;
