import { expandBraces, maxPatternLength } from "./expand-braces.ts";
import { type GlobToken, tokenizeGlob } from "./glob-tokens.ts";

/** Tells whether an absolute, normalised path matches. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles a glob: `*` and `?` stay inside one path component, `**` crosses components, `[a-z]` is a
 * class, `{a,b}` are alternatives, and a backslash escapes the next character. A pattern that ends in
 * `/**` also matches the directory itself.
 */
export function compileGlob(pattern: string): PathMatcher {
  const matchers = expandBraces(pattern).map((plain) => compileTokens(tokenizeGlob(plain)));
  const [only] = matchers;
  if (only !== undefined && matchers.length === 1) return only;
  return (path) => matchers.some((matches) => matches(path));
}

/** Counts the literal characters of a pattern, a measure of how specific it is. */
export function countLiterals(pattern: string): number {
  // Unclosed classes take quadratic time, and longer patterns are not valid anyway.
  return pattern
    .slice(0, maxPatternLength)
    .replace(/\\(.)|\{[^{}]*\}|\[[^\]]*\]|[*?]/gsu, (_, escaped = "") => escaped).length;
}

/** Returns a pattern that matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]{},\\]/gu, "\\$&");
}

function compileTokens(tokens: readonly GlobToken[]): PathMatcher {
  const [first, second] = tokens;
  if (tokens.length === 0) return (path) => path === "";
  if (tokens.length === 1 && first?.type === "text") return (path) => path === first.text;
  if (tokens.length === 1 && first?.type === "below") return (path) => path.startsWith("/");
  if (tokens.length === 2 && first?.type === "text" && second?.type === "below") {
    return treeMatcher(first.text);
  }
  return (path) => fitsTokens(tokens, path);
}

function treeMatcher(root: string): PathMatcher {
  const inside = `${root}/`;
  return (path) => path.startsWith(inside) || path === root;
}

/**
 * Backtracks only to the latest wildcard of each kind. A regular expression would try all
 * combinations, which takes exponential time with several stars and a long name.
 */
function fitsTokens(tokens: readonly GlobToken[], path: string): boolean {
  let index = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  let deep = -1;
  let deepAt = 0;
  for (;;) {
    const token = tokens[index];
    if (token?.type === "star") {
      star = index++;
      starAt = at;
      continue;
    }
    if (token?.type === "deep" || token?.type === "directories") {
      deep = index++;
      deepAt = at;
      star = -1;
      continue;
    }
    if (token === undefined || token.type === "below") {
      if (at === path.length || (token !== undefined && path[at] === "/")) return true;
    } else {
      const next = stepOver(token, path, at);
      if (next !== -1) {
        at = next;
        index++;
        continue;
      }
    }
    if (star !== -1 && starAt < path.length && path[starAt] !== "/") {
      starAt = afterCharacter(path, starAt);
      at = starAt;
      index = star + 1;
      continue;
    }
    if (deep === -1) return false;
    deepAt = tokens[deep]?.type === "deep" ? afterAny(path, deepAt) : afterComponent(path, deepAt);
    if (deepAt === -1) return false;
    at = deepAt;
    index = deep + 1;
    star = -1;
  }
}

function stepOver(token: GlobToken, path: string, at: number): number {
  if (token.type === "text") return path.startsWith(token.text, at) ? at + token.text.length : -1;
  const point = path.codePointAt(at);
  if (token.type !== "one" || point === undefined || path[at] === "/") return -1;
  return token.fits(point) ? afterCharacter(path, at) : -1;
}

function afterCharacter(path: string, at: number): number {
  return at + ((path.codePointAt(at) as number) > 0xffff ? 2 : 1);
}

function afterAny(path: string, at: number): number {
  return at < path.length ? afterCharacter(path, at) : -1;
}

function afterComponent(path: string, at: number): number {
  const slash = path.indexOf("/", at);
  return slash > at ? slash + 1 : -1;
}
