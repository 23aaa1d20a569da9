import type { ModelPrice } from "./open-model.ts";

/** Settings of a model. */
export interface ModelLimits {
  /** Size of its context, in tokens. */
  readonly contextTokens?: number;
  /** Maximum length of an answer, in tokens. */
  readonly outputTokens?: number;
}

/** Settings of a provider. */
export interface ProviderSettings {
  readonly baseUrl?: string;
  /** The variable that contains the key. */
  readonly apiKeyVariable?: string;
}

/** Settings of models and providers. */
export interface ModelSettings {
  /** Maximum cost of a turn. Requires the model's price. */
  readonly maxCost?: number;
  /** Default context size of models, in tokens. */
  readonly contextTokens?: number;
  /** By `PROVIDER/MODEL`. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  /** By `PROVIDER/MODEL`. */
  readonly models?: Readonly<Record<string, ModelLimits>>;
  /** By the provider's name. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
}
