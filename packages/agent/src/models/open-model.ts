import type { AiSdkToolOptions } from "@haft/connect/ai-sdk";
import type { LanguageModel } from "ai";

/** Price of a million tokens, in any currency. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: the price of `input`. */
  readonly cached?: number;
}

/** A model that is ready for requests. */
export interface OpenModel {
  /** `PROVIDER/MODEL` */
  readonly name: string;
  readonly model: LanguageModel;
  /** The schema format that its provider accepts. */
  readonly form: NonNullable<AiSdkToolOptions["form"]>;
  /** Size of its context, in tokens. */
  readonly contextTokens: number;
  /** Maximum length of an answer, in tokens. Default: the provider's limit. */
  readonly outputTokens?: number | undefined;
  readonly price?: ModelPrice | undefined;
  /** The variable that contains its key. */
  readonly keyVariable?: string | undefined;
}
