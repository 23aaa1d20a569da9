/** A question to the full-text index, in its own language. */
export interface TextQuestion {
  /** One expression per word. */
  readonly words: readonly string[];
  /** Any of the words. */
  readonly any: string;
}

const mostWords = 16;
const longestWord = 100;
const shortestPrefix = 3;

/** Makes a question of plain words; `undefined` if there is no word in them. */
export function toTextQuestion(query: string): TextQuestion | undefined {
  // Every word is quoted, so that no sign in it means anything to the index.
  const words = [...new Set(query.slice(0, mostWords * longestWord).split(/[\s"\p{C}]+/u))]
    .map((word) => word.slice(0, longestWord).toWellFormed())
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, mostWords);
  if (words.length === 0) return undefined;
  const quoted = words.map((word, index) => {
    // The last word may not be typed to its end yet.
    const isPrefix = index === words.length - 1 && word.length >= shortestPrefix;
    return `"${word}"${isPrefix ? "*" : ""}`;
  });
  return { words: quoted, any: quoted.join(" OR ") };
}
