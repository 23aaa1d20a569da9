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
