import { findClassEnd } from "./glob-tokens.ts";

// A pattern is written by hand; one that stands for more than this is a mistake or an attack.
const mostPatterns = 1_024;

/** The patterns without alternatives that a glob with `{a,b}` stands for. */
export function expandBraces(pattern: string): string[] {
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "[") at = Math.max(at, findClassEnd(pattern, at));
    else if (character === "{") {
      const alternatives = splitAlternatives(pattern, at);
      if (alternatives === undefined) continue;
      const middles = alternatives.parts.flatMap(expandBraces);
      const tails = expandBraces(pattern.slice(alternatives.end + 1));
      if (middles.length * tails.length > mostPatterns) {
        throw new TypeError(
          `Pattern ${JSON.stringify(pattern)} stands for more than ${mostPatterns} patterns.`,
        );
      }
      const head = pattern.slice(0, at);
      return middles.flatMap((middle) => tails.map((tail) => `${head}${middle}${tail}`));
    }
  }
  return [pattern];
}

/** What stands between the brace at `opening` and its partner; `undefined` if it has none. */
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
