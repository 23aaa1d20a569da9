/**
 * Returns the words of a text that could be programs, regardless of quotes, in order: where the shell's
 * reading is not known, a denied program is at least found by its name.
 */
export function looseWords(text: string): readonly string[] {
  const words =
    text
      .replaceAll(/\\\n|["'\\]/gu, "")
      .replaceAll(defaultValue, " ")
      .match(/[\w.+@%/-]+/gu) ?? [];
  // In code, text between slashes need not be part of a path.
  const parts = words.filter((word) => word.includes("/")).flatMap((word) => word.split("/"));
  return [...words, ...parts.filter((part) => part !== "")];
}

// What introduces a word inside an expansion: `${x:-`.
const defaultValue = /\$\{[\w!#@*[\]]*:?[-=+?]/gu;
