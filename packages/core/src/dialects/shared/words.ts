/** What a dialect says where a native sentence names a tool that its models are not shown. */
export type Words = Readonly<Record<string, string>>;

/** A native sentence in a dialect's words. */
export function inWords(text: string, words: Words): string {
  return Object.entries(words).reduce(
    (said, [native, own]) => said.replaceAll(native, () => own),
    text,
  );
}
