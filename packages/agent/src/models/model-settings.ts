import type { ModelPrice } from "./open-model.ts";

/** What a person says of one model. */
export interface ModelLimits {
  /** How much it can be sent, in tokens. */
  readonly contextTokens?: number;
  /** How much it may answer at once, in tokens. */
  readonly outputTokens?: number;
}

/** Where a provider is, and what lets one in. */
export interface ProviderSettings {
  readonly baseUrl?: string;
  /** The variable that the key is in. */
  readonly apiKeyVariable?: string;
}

/** What settings say of models. */
export interface ModelSettings {
  /** What a turn may cost at most: then the price of a model has to be known. */
  readonly maxCost?: number;
  /** How much a model can be sent, where nothing is said of that model. */
  readonly contextTokens?: number;
  /** By `PROVIDER/MODEL`. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  /** By `PROVIDER/MODEL`. */
  readonly models?: Readonly<Record<string, ModelLimits>>;
  /** By the provider's name. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
}
