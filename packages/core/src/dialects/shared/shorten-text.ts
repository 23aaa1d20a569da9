import type { JsonValue } from "@haft/contract";

/** The characters of a text that a model gets at once, whatever tool it comes from. */
const mostCharacters = 256 * 1024;

/** The head and the tail of a text that is too long; `undefined` of anything else. */
export function shortenText(data: JsonValue): string | undefined {
  if (typeof data !== "string" || data.length <= mostCharacters) return undefined;
  const half = mostCharacters / 2;
  const head = data.slice(0, half).replace(/[\uD800-\uDBFF]$/u, "");
  const tail = data.slice(-half).replace(/^[\uDC00-\uDFFF]/u, "");
  const missing = data.length - head.length - tail.length;
  return `${head}\n[… ${missing} characters left out here; the whole is at the path in output_path …]\n${tail}`;
}
