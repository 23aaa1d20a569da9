/** A call as a model makes it, and what was meant. */
export interface CallCase {
  /** What is wrong with it, for the table. */
  readonly kind: string;
  readonly files: Readonly<Record<string, string>>;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The files that the call should change, as they should be afterwards; `undefined` if deleted. */
  readonly changes?: Readonly<Record<string, string | undefined>>;
  /** A part of the result that the call should have, if it changes nothing. */
  readonly shows?: string;
}
