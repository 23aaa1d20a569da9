import { defaultSettingsMiddleware, type LanguageModelMiddleware, wrapLanguageModel } from "ai";

/** A provider's model that the AI SDK can wrap. */
type WrappedModel = ReturnType<typeof wrapLanguageModel>;

/** The prompt of a request. */
type WrappedPrompt = Parameters<
  NonNullable<LanguageModelMiddleware["transformParams"]>
>[0]["params"]["prompt"];

/**
 * Makes OpenAI store nothing of a conversation. Otherwise later requests only reference earlier items, which
 * fails where they are missing: in another account, after thirty days, on a server that stores nothing. The
 * model's reasoning is stored encrypted in the thread instead.
 */
export function storeNothing(model: WrappedModel): WrappedModel {
  const settings = { providerOptions: { openai: { store: false } } };
  return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) });
}

/**
 * Makes Anthropic cache the prompt, which other providers do by themselves: the
 * tools and instructions, and the conversation up to its last message.
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

/**
 * Replaces files in results by text, for an API whose results can't contain images. Its package would send
 * an image as base64 text, which no model can see and which fills its context.
 */
export function plainResults(model: WrappedModel): WrappedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      transformParams: async ({ params }) => ({ ...params, prompt: params.prompt.map(toPlain) }),
    },
  });
}

type Message = WrappedPrompt[number];
type Part = Extract<Message, { role: "tool" }>["content"][number];

function toPlain(message: Message): Message {
  if (message.role !== "tool" || !message.content.some(hasFiles)) return message;
  return { ...message, content: message.content.map(toWords) };
}

function hasFiles(part: Part): boolean {
  return part.type === "tool-result" && part.output.type === "content";
}

function toWords(part: Part): Part {
  if (part.type !== "tool-result" || part.output.type !== "content") return part;
  const lines = part.output.value.map((piece) => {
    if (piece.type === "text") return piece.text;
    const kind = piece.type === "file" ? piece.mediaType : piece.type;
    return `[${kind}: can't be shown to this model.]`;
  });
  return { ...part, output: { type: "text", value: lines.join("\n") } };
}
