/** What a thrown thing says about itself. Anything can be thrown, also what has no words. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "something that can't be turned into text was thrown";
  }
}
