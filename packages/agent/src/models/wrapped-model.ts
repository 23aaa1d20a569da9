import type { LanguageModelMiddleware, wrapLanguageModel } from "ai";

/** A model of a provider's package, as the AI SDK wraps it. */
export type WrappedModel = ReturnType<typeof wrapLanguageModel>;

/** What a model is sent. */
export type WrappedPrompt = Parameters<
  NonNullable<LanguageModelMiddleware["transformParams"]>
>[0]["params"]["prompt"];
