/** A dialect's replacements for native texts that mention tools it does not show. */
export type Words = Readonly<Record<string, string>>;

/** Rewrites a native text in a dialect's wording. */
export function inWords(text: string, words: Words): string {
  return Object.entries(words).reduce(
    (said, [native, own]) => said.replaceAll(native, () => own),
    text,
  );
}
