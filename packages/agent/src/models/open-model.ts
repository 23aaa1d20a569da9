import type { AiSdkToolOptions } from "@haft/connect/ai-sdk";
import type { LanguageModel } from "ai";

/** What a million tokens cost, in whatever currency. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** As `input` unless said. */
  readonly cached?: number;
}

/** A model that can be asked. */
export interface OpenModel {
  /** `PROVIDER/MODEL` */
  readonly name: string;
  readonly model: LanguageModel;
  /** The form of schemas that its provider takes. */
  readonly form: NonNullable<AiSdkToolOptions["form"]>;
  /** How much it can be sent, in tokens. */
  readonly contextTokens: number;
  /** How much it may answer at once, in tokens; as much as the provider lets it unless said. */
  readonly outputTokens?: number | undefined;
  readonly price?: ModelPrice | undefined;
  /** The variable that its key is in. */
  readonly keyVariable?: string | undefined;
}
