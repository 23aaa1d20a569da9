import { findClassEnd } from "./glob-tokens.ts";

// Patterns are written by hand. One that expands to more than this is a mistake or an attack.
const maxPatterns = 1_024;
/** Maximum length of a glob in characters. */
export const maxPatternLength = 8_192;

/** Expands the alternatives `{a,b}` of a glob. */
export function expandBraces(pattern: string): string[] {
  // Finding the ends of braces and classes takes quadratic time.
  if (pattern.length > maxPatternLength) {
    throw new TypeError(
      `Pattern ${JSON.stringify(`${pattern.slice(0, 60)}…`)} is longer than ${maxPatternLength} characters.`,
    );
  }
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "[") at = Math.max(at, findClassEnd(pattern, at));
    else if (character === "{") {
      const alternatives = splitAlternatives(pattern, at);
      if (alternatives === undefined) continue;
      const middles = alternatives.parts.flatMap(expandBraces);
      const tails = expandBraces(pattern.slice(alternatives.end + 1));
      if (middles.length * tails.length > maxPatterns) {
        throw new TypeError(
          `Pattern ${JSON.stringify(pattern)} expands to more than ${maxPatterns} patterns.`,
        );
      }
      const head = pattern.slice(0, at);
      return middles.flatMap((middle) => tails.map((tail) => `${head}${middle}${tail}`));
    }
  }
  return [pattern];
}

/** Returns the alternatives between the brace at `opening` and its partner, or `undefined` without a partner. */
function splitAlternatives(
  pattern: string,
  opening: number,
): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = opening + 1;
  for (let at = opening; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "[") at = Math.max(at, findClassEnd(pattern, at));
    else if (character === "{") depth++;
    else if (character === "," && depth === 1) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    } else if (character === "}" && --depth === 0) {
      return { parts: [...parts, pattern.slice(start, at)], end: at };
    }
  }
  return undefined;
}
