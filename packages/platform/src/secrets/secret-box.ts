/** Encrypts and decrypts the secrets in the store. */
export interface SecretBox {
  /** Encrypts text and binds it to a context: only the same context opens it. */
  seal(text: string, context: readonly string[]): string;
  /** Throws if the text was sealed for another context or with a missing key, or was changed. */
  open(sealed: string, context: readonly string[]): string;
  /** Returns the ids of the master keys that are available now. */
  keyIds(): readonly string[];
}
