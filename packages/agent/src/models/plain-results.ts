import { wrapLanguageModel } from "ai";
import type { WrappedModel, WrappedPrompt } from "./wrapped-model.ts";

/**
 * Has results be words only, for a language that has no room for pictures in them. Its package would send
 * a picture as words, which no model can see and which fill its context.
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
    return `[${kind}: it can't be shown to this model.]`;
  });
  return { ...part, output: { type: "text", value: lines.join("\n") } };
}
