/** Returns the longest tail of a text that fits into `limit` bytes and starts with a whole character. */
export function utf8Tail(text: string, limit: number): string {
  let bytes = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const unit = text.charCodeAt(at);
    const pair = isLow(unit) && at > 0 && isHigh(text.charCodeAt(at - 1));
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes > limit) return text.slice(at + 1);
    if (pair) at--;
  }
  return text;
}

/** Returns the last `count` characters of a text, counted in code points. */
export function lastCharacters(text: string, count: number): string {
  let left = count;
  let at = text.length;
  while (at > 0 && left > 0) {
    const pair = isLow(text.charCodeAt(at - 1)) && at > 1 && isHigh(text.charCodeAt(at - 2));
    at -= pair ? 2 : 1;
    left--;
  }
  return text.slice(at);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
