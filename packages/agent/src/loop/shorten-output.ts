import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { clipText } from "./clip-text.ts";

const longest = 2000;
const headLength = 1500;

/** Whether a result is worth shortening once it is old: its text is long, or it has files. */
export function isLong(output: AiSdkModelOutput): boolean {
  return output.type === "content"
    ? output.value.some((part) => part.type === "file" || part.text.length > longest)
    : output.value.length > longest;
}

/** The head of a result, with a note of what is missing. The same result always becomes the same. */
export function shortenOutput(output: AiSdkModelOutput): AiSdkModelOutput {
  if (output.type === "content") return { type: "text", value: shorten(textOfOutput(output)) };
  return { type: output.type, value: shorten(output.value) };
}

/** The words of a result; files in it by their kind. */
export function textOfOutput(output: AiSdkModelOutput): string {
  if (output.type !== "content") return output.value;
  return output.value
    .map((part) => (part.type === "text" ? part.text : `[${part.mediaType}, no longer shown]`))
    .join("\n\n");
}

function shorten(text: string): string {
  if (text.length <= longest) return text;
  const head = clipText(text, headLength);
  const missing = text.length - head.length;
  return `${head}\n\n[Shortened: ${missing} of ${text.length} characters are not shown any more. Make the call again if you need them.]`;
}
