import { wrapLanguageModel } from "ai";
import type { WrappedModel, WrappedPrompt } from "./wrapped-model.ts";

/**
 * Has Anthropic keep what was sent for the next request, which other providers do by themselves: the
 * instructions with the tools before them, and the talk up to its last message.
 */
export function cachePrompt(model: WrappedModel): WrappedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      transformParams: async ({ params }) => ({ ...params, prompt: mark(params.prompt) }),
    },
  });
}

function mark(prompt: WrappedPrompt): WrappedPrompt {
  const instructions = prompt.findLastIndex(({ role }) => role === "system");
  const last = prompt.length - 1;
  return prompt.map((message, index) => {
    if (index !== instructions && index !== last) return message;
    const { providerOptions } = message;
    const anthropic = { cacheControl: { type: "ephemeral" }, ...providerOptions?.anthropic };
    return { ...message, providerOptions: { ...providerOptions, anthropic } };
  });
}
