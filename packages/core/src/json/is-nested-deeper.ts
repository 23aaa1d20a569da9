/** Maximum nesting depth of untrusted JSON. Serialising JSON and most code that walks it is recursive. */
export const maxJsonDepth = 200;

/** Tells whether the arrays and objects of a JSON text are nested deeper than a limit, without parsing it. */
export function isTextNestedDeeper(text: string, maxDepth: number = maxJsonDepth): boolean {
  // Every level takes two characters, so most texts need not be scanned.
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = findStringEnd(text, at + 1);
        break;
      case openingBracket:
      case openingBrace:
        depth += 1;
        if (depth > maxDepth) return true;
        break;
      case closingBracket:
      case closingBrace:
        depth -= 1;
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openingBracket = 0x5b;
const openingBrace = 0x7b;
const closingBracket = 0x5d;
const closingBrace = 0x7d;

/** Returns the position of the quote that ends a string, or the end of the text. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** Tells whether arrays and objects are nested deeper than `levels`. Does not look any deeper. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const parts = Array.isArray(value) ? value : Object.values(value);
  // `some` would take another stack frame per level.
  for (const part of parts) if (isNestedDeeper(part, levels - 1)) return true;
  return false;
}
