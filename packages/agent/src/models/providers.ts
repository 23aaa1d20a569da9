import type { LanguageModel } from "ai";
import type { OpenModel } from "./open-model.ts";

/** The providers there are. */
export type ProviderName = "openai" | "anthropic" | "google" | "openai-compatible";

/** What a provider's package is called with. */
export interface ProviderAccess {
  readonly model: string;
  readonly apiKey?: string;
  readonly baseURL?: string;
}

/** A provider of models. */
export interface Provider {
  /** Where its key is looked for, first to last. */
  readonly keyVariables: readonly [string, ...string[]];
  readonly needsKey: boolean;
  /** Where its URL is looked for, if its package looks there. */
  readonly baseUrlVariable?: string;
  readonly form: OpenModel["form"];
  /** How much its models can be sent if nothing is said of them. */
  readonly contextTokens: number;
  /** How much a model of theirs may answer at once, where the package would say too little. */
  outputTokens?(model: string): number | undefined;
  /** Loads the provider's package, which nobody else has to wait for. */
  open(access: ProviderAccess): Promise<LanguageModel>;
}

/** What is known of each provider. */
export const providers: Readonly<Record<ProviderName, Provider>> = {
  openai: {
    keyVariables: ["OPENAI_API_KEY"],
    needsKey: true,
    baseUrlVariable: "OPENAI_BASE_URL",
    form: "plain",
    // The least that a model of theirs takes that can make calls; later ones take more.
    contextTokens: 128_000,
    open: async ({ model, ...access }) => {
      const [{ createOpenAI }, { storeNothing }] = await Promise.all([
        import("@ai-sdk/openai"),
        import("./store-nothing.ts"),
      ]);
      return storeNothing(createOpenAI(access)(model));
    },
  },
  anthropic: {
    keyVariables: ["ANTHROPIC_API_KEY"],
    needsKey: true,
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    form: "plain",
    // All of theirs take that much, some of them more for more money.
    contextTokens: 200_000,
    // A limit has to be sent. For models of others behind the same language the package sends half of it,
    // which a file that is written in one call goes beyond.
    outputTokens: (model) => (model.includes("claude-") ? undefined : 8192),
    open: async ({ model, ...access }) => {
      const [{ createAnthropic }, { cachePrompt }] = await Promise.all([
        import("@ai-sdk/anthropic"),
        import("./cache-prompt.ts"),
      ]);
      return cachePrompt(createAnthropic(access)(model));
    },
  },
  google: {
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    needsKey: true,
    form: "gemini",
    // All of theirs since the second generation take that much.
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
    // Nobody knows. One that takes less says so, and is sent less from then on.
    contextTokens: 128_000,
    open: async ({ model, baseURL = "", apiKey }) => {
      const [{ createOpenAICompatible }, { plainResults }] = await Promise.all([
        import("@ai-sdk/openai-compatible"),
        import("./plain-results.ts"),
      ]);
      const name = "openai-compatible";
      const access = { name, baseURL, includeUsage: true, ...(apiKey !== undefined && { apiKey }) };
      return plainResults(createOpenAICompatible(access)(model));
    },
  },
};
