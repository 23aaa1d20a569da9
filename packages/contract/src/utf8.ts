/** Returns the number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
    } else if (isPair(text, at)) {
      // Two units make four bytes.
      bytes += 2;
      at++;
    } else {
      bytes += 2;
    }
  }
  return bytes;
}

/** Returns the longest head of a text that fits into `limit` bytes, without splitting a character. */
export function utf8Head(text: string, limit: number): string {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const pair = unit >= 0x800 && isPair(text, at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes > limit) return text.slice(0, at);
    if (pair) at++;
  }
  return text;
}

/** Returns the longest tail of a text that fits into `limit` bytes, without splitting a character. */
export function utf8Tail(text: string, limit: number): string {
  let bytes = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const unit = text.charCodeAt(at);
    const pair = at > 0 && isPair(text, at - 1);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes > limit) return text.slice(at + 1);
    if (pair) at--;
  }
  return text;
}

function isPair(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first < 0xd800 || first > 0xdbff) return false;
  const second = text.charCodeAt(at + 1);
  return second >= 0xdc00 && second <= 0xdfff;
}
