import type { LanguageModel } from "ai";
import type { OpenModel } from "./open-model.ts";

/** Names of the providers. */
export type ProviderName = "openai" | "anthropic" | "google" | "openai-compatible";

/** Options for a provider's package. */
export interface ProviderAccess {
  readonly model: string;
  readonly apiKey?: string;
  readonly baseURL?: string;
}

/** A provider of models. */
export interface Provider {
  /** Variables that may contain its key, in order of precedence. */
  readonly keyVariables: readonly [string, ...string[]];
  readonly needsKey: boolean;
  /** Variable for its base URL, if its package supports one. */
  readonly baseUrlVariable?: string;
  readonly form: OpenModel["form"];
  /** Default context size of its models, in tokens. */
  readonly contextTokens: number;
  /** Maximum length of an answer, if the package's default is too small. */
  outputTokens?(model: string): number | undefined;
  /** Loads the provider's package on first use. */
  open(access: ProviderAccess): Promise<LanguageModel>;
}

/** All providers by name. */
export const providers: Readonly<Record<ProviderName, Provider>> = {
  openai: {
    keyVariables: ["OPENAI_API_KEY"],
    needsKey: true,
    baseUrlVariable: "OPENAI_BASE_URL",
    form: "plain",
    // The smallest context of their models with tool calls; later models have more.
    contextTokens: 128_000,
    open: async ({ model, ...access }) => {
      const [{ createOpenAI }, { storeNothing }] = await Promise.all([
        import("@ai-sdk/openai"),
        import("./wrap-models.ts"),
      ]);
      return storeNothing(createOpenAI(access)(model));
    },
  },
  anthropic: {
    keyVariables: ["ANTHROPIC_API_KEY"],
    needsKey: true,
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    form: "plain",
    // All their models have this context; some have more at a higher price.
    contextTokens: 200_000,
    // The API requires a limit. For unknown models the package sends half of this one,
    // which is too small for writing a long file in one call.
    outputTokens: (model) => (model.includes("claude-") ? undefined : 8192),
    open: async ({ model, ...access }) => {
      const [{ createAnthropic }, { cachePrompt }] = await Promise.all([
        import("@ai-sdk/anthropic"),
        import("./wrap-models.ts"),
      ]);
      return cachePrompt(createAnthropic(access)(model));
    },
  },
  google: {
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    needsKey: true,
    form: "gemini",
    // All their models since the second generation have this context.
    contextTokens: 1_000_000,
    open: async ({ model, ...access }) => {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle(access)(model);
    },
  },
  "openai-compatible": {
    keyVariables: ["OPENAI_COMPATIBLE_API_KEY"],
    needsKey: false,
    form: "plain",
    // Unknown. A model with less context reports an error, and is sent less from then on.
    contextTokens: 128_000,
    open: async ({ model, baseURL = "", apiKey }) => {
      const [{ createOpenAICompatible }, { plainResults }] = await Promise.all([
        import("@ai-sdk/openai-compatible"),
        import("./wrap-models.ts"),
      ]);
      const name = "openai-compatible";
      const access = { name, baseURL, includeUsage: true, ...(apiKey !== undefined && { apiKey }) };
      return plainResults(createOpenAICompatible(access)(model));
    },
  },
};
