import type { JsonValue } from "@haft/contract";
import { clipText } from "@haft/contract/internal";

/** Maximum length of a text that a model receives, whichever tool it comes from. */
const maxCharacters = 256 * 1024;

/** Returns head and tail of a text that is too long, or `undefined`. */
export function shortenText(data: JsonValue): string | undefined {
  if (typeof data !== "string" || data.length <= maxCharacters) return undefined;
  return keepEnds(data, maxCharacters, "; the whole is at the path in output_path");
}

/** Returns head and tail of a text that is longer than this, with a remark in between. */
export function keepEnds(text: string, maxLength: number, remark = ""): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const head = clipText(text, half, "");
  const tail = text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/u, "");
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters left out here${remark} …]\n${tail}`;
}
