/** How much an agent may use. What is not said has no limit, but for steps. */
export interface AgentLimits {
  /** Requests to the model in a turn; 200 unless said. */
  readonly maxSteps?: number | undefined;
  /** Tokens of a turn, in and out. */
  readonly maxTokens?: number | undefined;
  /** Of a turn, in the currency of the prices. */
  readonly maxCost?: number | undefined;
  /** How often a request is made again after it failed; 4 unless said. */
  readonly retries?: number | undefined;
}
