const ascii = /^[\0-\x7f]*$/u;
const encoder = new TextEncoder();

/** Returns a text with one character for each UTF-8 byte of the given one. */
export function toByteText(text: string): string {
  if (ascii.test(text)) return text;
  let bytes = "";
  for (const byte of encoder.encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}
