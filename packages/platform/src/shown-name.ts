import { clipText } from "@haft/contract/internal";
import { toVisibleText } from "@haft/core/internal";

/** Quotes an untrusted name for a message: clipped, with hidden and control characters escaped. */
export function toShownName(name: string, maxLength = 200): string {
  return toVisibleText(JSON.stringify(clipText(name, maxLength)));
}
