import type { JsonValue } from "@haft/contract";
import { clipText } from "@haft/contract/internal";

/** Maximum length of a text that a model receives, whichever tool it comes from. */
const maxCharacters = 256 * 1024;

/** Returns head and tail of a text that is too long, or `undefined`. */
export function shortenText(data: JsonValue): string | undefined {
  if (typeof data !== "string" || data.length <= maxCharacters) return undefined;
  const half = maxCharacters / 2;
  const head = clipText(data, half, "");
  const tail = data.slice(-half).replace(/^[\uDC00-\uDFFF]/u, "");
  const missing = data.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters left out here; the whole is at the path in output_path …]\n${tail}`;
}
