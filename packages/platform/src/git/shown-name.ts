const mostCharacters = 200;

/** A name that a stranger chose, in quotes, with nothing in it that a terminal would act on. */
export function toShownName(name: string): string {
  return JSON.stringify(name.slice(0, mostCharacters)).replace(
    /\p{C}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
