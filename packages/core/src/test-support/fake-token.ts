/** So many characters drawn from an alphabet, always the same: real tokens have no place in tests. */
export function fakeToken(length: number, alphabet: string = base62, seed = 7): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    return alphabet.charAt(((mixed ^ (mixed >>> 14)) >>> 0) % alphabet.length);
  }).join("");
}

export const hexDigits = "0123456789abcdef";
export const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const base64 = `${base62}+/`;
