/** Words and signs are compared by these rules. */
export interface TokenRule {
  /** Signs that count no more than space. */
  readonly ignored: string;
  /** Signs that are equal to each other. */
  readonly alike: string;
}

/** Returns the words and signs of a text, each with its offset, without those that a rule ignores. */
export function findTokens(text: string, { ignored }: TokenRule): RegExpExecArray[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+|\S/gu)].filter(([token]) => !ignored.includes(token));
}

/**
 * Finds every place where these words and signs follow each other, with any space between them. Returns
 * the offsets of all tokens for each place; `undefined` if the text repeats them too often to compare.
 */
export function scanTokens(
  text: string,
  tokens: readonly string[],
  rule: TokenRule,
): (readonly number[])[] | undefined {
  const anchor = findLongest(tokens, rule);
  if (anchor === undefined) return undefined;
  const needle = tokens[anchor] as string;
  const offsets = new Array<number>(tokens.length).fill(0);
  const places: number[][] = [];
  const { ignored, alike } = rule;
  const isSkipped = (at: number): boolean =>
    isSpace(text, at) || ignored.includes(text[at] as string);
  const has = (at: number, token: string): boolean =>
    alike.includes(token)
      ? at < text.length && alike.includes(text[at] as string)
      : isToken(text, at, token);
  let steps = 0;
  const isThere = (first: number): boolean => {
    if (!isToken(text, first, needle)) return false;
    offsets[anchor] = first;
    for (let index = anchor + 1, end = first + needle.length; index < tokens.length; index++) {
      const token = tokens[index] as string;
      let at = end;
      while (at < text.length && isSkipped(at)) at++;
      steps += at - end + 1;
      if (!has(at, token)) return false;
      offsets[index] = at;
      end = at + token.length;
    }
    for (let index = anchor - 1, start = first; index >= 0; index--) {
      const token = tokens[index] as string;
      let stop = start;
      while (stop > 0 && isSkipped(stop - 1)) stop--;
      const at = stop - token.length;
      steps += start - at;
      if (at < 0 || !has(at, token)) return false;
      offsets[index] = at;
      start = at;
    }
    return true;
  };
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    if (isThere(at)) places.push([...offsets]);
    if (steps > maxSteps) return undefined;
  }
  return places;
}

// So many take about ten milliseconds.
const maxSteps = 500_000;

function findLongest(tokens: readonly string[], { alike }: TokenRule): number | undefined {
  let longest: number | undefined;
  for (const [at, token] of tokens.entries()) {
    if (alike.includes(token)) continue;
    if (longest === undefined || token.length > (tokens[longest] as string).length) longest = at;
  }
  return longest;
}

/** Tells whether a token is at an offset, and is not a part of a longer word. */
function isToken(text: string, at: number, token: string): boolean {
  if (!text.startsWith(token, at)) return false;
  if (!isWord(token, 0)) return true;
  const before = at - (isLowSurrogate(text.charCodeAt(at - 1)) ? 2 : 1);
  return !isWord(text, before) && !isWord(text, at + token.length);
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < firstOther) return code === 32 || (code >= 9 && code <= 13);
  return /^\s/u.test(text[at] as string);
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < firstOther) {
    const letter = code | 32;
    return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95;
  }
  const sign = text.codePointAt(at);
  return sign !== undefined && /[\p{L}\p{N}]/u.test(String.fromCodePoint(sign));
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

const firstOther = 128;
