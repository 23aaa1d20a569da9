const ascii = /^[\0-\x7f]*$/u;
const encoder = new TextEncoder();

/** A text with one character for each byte that the given one has in UTF-8. */
export function toByteText(text: string): string {
  if (ascii.test(text)) return text;
  let bytes = "";
  for (const byte of encoder.encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}
