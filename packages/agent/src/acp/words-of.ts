/** What a thrown thing says about itself, in one line. */
export function wordsOf(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return words.replace(/\s+/gu, " ").trim();
}
