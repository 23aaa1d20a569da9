import { setFlagsFromString } from "node:v8";

// Patterns of tools' schemas are matched by the server itself, which others use too. V8 can leave
// one that goes back too often to an engine whose time is linear; that one knows no Unicode mode.
setFlagsFromString("--enable-experimental-regexp-engine");
setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");

/** A pattern to match texts with. */
export interface CompiledPattern {
  test(text: string): boolean;
  toString(): string;
}

/** Makes a pattern of a JSON Schema ready, so that it takes linear time if that can be had. */
export function compilePattern(pattern: string): CompiledPattern {
  if (needsUnicode.test(pattern)) return new RegExp(pattern, "u");
  const usual = new RegExp(pattern);
  if (!isLinear(pattern)) return usual;
  // The other engine has no compiler, so that short texts go quicker without it.
  const linear = new RegExp(pattern, "l");
  return {
    test: (text) => (text.length > shortText ? linear : usual).test(text),
    // What validators tell patterns from each other by.
    toString: () => usual.toString(),
  };
}

const shortText = 500;

/**
 * Tells whether a pattern surely takes no exponential time: it can be matched in linear time, or no
 * group of it is repeated that itself repeats or chooses, and nothing refers back.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > 1_000) return false;
  return (!needsUnicode.test(pattern) && isLinear(pattern)) || hasPlainRepeats(pattern);
}

const needsUnicode = /\\p\{|\\u\{|[\u{10000}-\u{10ffff}]/iu;

function isLinear(pattern: string): boolean {
  try {
    new RegExp(pattern, "l");
    return true;
  } catch {
    return false;
  }
}

function hasPlainRepeats(pattern: string): boolean {
  // Of each group that is open: whether something in it can match in more than one way.
  const groups: boolean[] = [false];
  let closed: boolean | undefined;
  for (const [token] of pattern.matchAll(tokens)) {
    if (/^\\(?:[1-9]|k<)/u.test(token)) return false;
    const repeats = /^[*+{].*/u.test(token) && token !== "{";
    if (repeats && closed) return false;
    if (token.startsWith("(")) groups.push(false);
    closed = token === ")" ? groups.pop() : undefined;
    const varies = closed || token === "|" || token === "?" || (repeats && !fixed.test(token));
    if (varies) groups[groups.length - 1] = true;
  }
  return true;
}

// `{3}` repeats, but in one way only.
const fixed = /^\{\d+\}$/u;

const tokens =
  /\\k<[^>]*>|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:<?[=!]|:|<[^>]*>)|\(|\)|\{\d+(?:,\d*)?\}|[\s\S]/gu;
