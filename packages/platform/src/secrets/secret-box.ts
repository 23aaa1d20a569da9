/** Seals what must not be readable in the store. */
export interface SecretBox {
  /** `context` is bound to the text: what was sealed for one place can't be opened for another. */
  seal(text: string, context: readonly string[]): string;
  /** Throws if it was sealed for another place, with a key that is gone, or was changed. */
  open(sealed: string, context: readonly string[]): string;
}
