/**
 * The words of a text that could be programs, however it is quoted, in their order: where the
 * shell's reading of it is not known, a denied program is found at least by its name.
 */
export function looseWords(text: string): readonly string[] {
  const words =
    text
      .replaceAll(/\\\n|["'\\]/gu, "")
      .replaceAll(defaultValue, " ")
      .match(/[\w.+@%/-]+/gu) ?? [];
  // In code, what stands between slashes need not be a part of a path.
  const parts = words.filter((word) => word.includes("/")).flatMap((word) => word.split("/"));
  return [...words, ...parts.filter((part) => part !== "")];
}

// What introduces a word inside of an expansion: `${x:-`.
const defaultValue = /\$\{[\w!#@*[\]]*:?[-=+?]/gu;
