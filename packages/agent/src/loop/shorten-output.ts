import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { clipText } from "@haft/contract/internal";

const maxLength = 2000;
const headLength = 1500;

/** Tells whether an old result is worth shortening: its text is long, or it contains files. */
export function isLong(output: AiSdkModelOutput): boolean {
  return output.type === "content"
    ? output.value.some((part) => part.type === "file" || part.text.length > maxLength)
    : output.value.length > maxLength;
}

/** Returns the beginning of a result with a note on what is missing. Deterministic, for the provider's cache. */
export function shortenOutput(output: AiSdkModelOutput): AiSdkModelOutput {
  if (output.type === "content") return { type: "text", value: shorten(textOfOutput(output)) };
  return { type: output.type, value: shorten(output.value) };
}

/** Returns the text of a result, with files replaced by their media types. */
export function textOfOutput(output: AiSdkModelOutput): string {
  if (output.type !== "content") return output.value;
  return output.value
    .map((part) => (part.type === "text" ? part.text : `[${part.mediaType}, no longer shown]`))
    .join("\n\n");
}

function shorten(text: string): string {
  if (text.length <= maxLength) return text;
  const head = clipText(text, headLength, "");
  const missing = text.length - head.length;
  return `${head}\n\n[Shortened: ${missing} of ${text.length} characters are no longer shown. Repeat the call if you need them.]`;
}
