import { toVisibleLine, toVisibleText } from "@haft/core/internal";

// Everything that comes from tools, agents and people passes one of these before it is shown. Preact
// makes text of it, never markup; these make characters visible that would deceive the reader.

const maxCharacters = 20_000;

/** Text on several lines. */
export function show(text: string): string {
  return toVisibleText(text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text);
}

/** Text on one line, cut to a length. */
export function showLine(text: string, maxLength = 200): string {
  return toVisibleLine(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}

/** A number with what it counts, such as `1 call` or `2,000 calls`. */
export function showCount(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
