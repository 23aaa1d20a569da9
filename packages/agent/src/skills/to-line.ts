/** Text in one line, without characters that nobody sees. */
export function toLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}
