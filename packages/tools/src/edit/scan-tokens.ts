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

/** A word or sign of a wanted text, and where another text has it first; -1 if it does not. */
export interface RareToken {
  readonly token: string;
  readonly first: number;
}

/** Returns a token that a text does not have, or else, of some of the longest, the one it has latest. */
export function findRarest(text: string, wanted: string): RareToken | undefined {
  const tokens = new Set(findTokens(wanted, everyRule).map(([token]) => token));
  const longest = [...tokens].sort((one, other) => other.length - one.length).slice(0, maxTried);
  let rarest: RareToken | undefined;
  for (const token of longest) {
    const first = text.indexOf(token);
    if (first === -1) return { token, first };
    if (first > (rarest?.first ?? -1)) rarest = { token, first };
  }
  return rarest;
}

/** What formatters change. */
export const formatting: TokenRule = { ignored: ",;", alike: "'\"`" };
/** Nothing but space. */
export const spacing: TokenRule = { ignored: "", alike: "" };
// A token that no rule treats otherwise.
const everyRule: TokenRule = { ignored: formatting.ignored + formatting.alike, alike: "" };
const maxTried = 12;

/** Words and signs to find. */
export interface WantedTokens {
  readonly tokens: readonly string[];
  readonly rule: TokenRule;
  /** One of the tokens. */
  readonly rarest: RareToken;
  /** Stop after so many places. Default: never. */
  readonly limit?: number;
}

/**
 * Finds every place where these words and signs follow each other, with any space between them. Returns
 * the offsets of all tokens for each place; `undefined` if the text repeats them too often to compare.
 */
export function scanTokens(text: string, wanted: WantedTokens): (readonly number[])[] | undefined {
  const { tokens, rarest, limit } = wanted;
  const { ignored, alike } = wanted.rule;
  const anchor = tokens.indexOf(rarest.token);
  const needle = rarest.token;
  const offsets = new Array<number>(tokens.length).fill(0);
  const places: number[][] = [];
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
  for (let at = rarest.first; at !== -1; at = text.indexOf(needle, at + needle.length)) {
    if (isThere(at)) places.push([...offsets]);
    if (places.length === limit) return places;
    if (steps > maxSteps) return undefined;
  }
  return places;
}

// So many characters take about 20 milliseconds.
const maxSteps = 1_000_000;

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
