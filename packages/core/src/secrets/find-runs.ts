/** The shortest unbroken row of token characters that counts. */
export const minRunLength = 20;

/**
 * Finds the places where many token characters (`A-Z a-z 0-9 _ -`) follow each other without a
 * break, and tells their start and end. It looks from the far end of where one could be, so that of
 * ordinary text it sees only a part.
 */
export function findRuns(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text;
  let start = 0;
  // Up to here the text is known to be unbroken.
  let known = 0;
  while (start + minRunLength <= length) {
    let at = start + minRunLength - 1;
    const last = at;
    while (at >= known && isTokenCode(text.charCodeAt(at))) at--;
    if (at >= known) {
      start = at + 1;
      known = Math.max(last + 1, start);
      continue;
    }
    let end = last + 1;
    while (end < length && isTokenCode(text.charCodeAt(end))) end++;
    visit(start, end);
    start = end + 1;
    known = start;
  }
}

/** Whether this is the code of a character that tokens are made of. */
export function isTokenCode(code: number): boolean {
  return code < 128 && tokenCodes[code] === 1;
}

const tokenCodes = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") {
  tokenCodes[character.charCodeAt(0)] = 1;
}
