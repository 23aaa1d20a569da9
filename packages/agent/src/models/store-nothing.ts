import { defaultSettingsMiddleware, wrapLanguageModel } from "ai";
import type { WrappedModel } from "./wrapped-model.ts";

/**
 * Has OpenAI keep nothing of a talk. Otherwise later requests only name what was said before, which fails
 * where it is gone: at another account, after thirty days, at a server that keeps nothing. What the model
 * thought goes with the thread then, sealed.
 */
export function storeNothing(model: WrappedModel): WrappedModel {
  const settings = { providerOptions: { openai: { store: false } } };
  return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) });
}
