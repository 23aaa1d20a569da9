import type { ReadWord } from "@haft/core";

/** How a shell is started. */
export interface ShellOptions {
  /** The index of the first word that is not an option: the code, or the file of code. */
  readonly at: number;
  readonly isCode: boolean;
  readonly readsInput: boolean;
  /** Why it is not certain what it will run. */
  readonly doubts: string[];
}

/** Parses the options of a shell, the same for all Bourne shells. */
export function readShellOptions(words: readonly ReadWord[]): ShellOptions {
  const doubts: string[] = [];
  let isCode = false;
  let readsInput = false;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === undefined || !/^[-+]/u.test(word)) break;
    if (word === "-" || word === "--") {
      at++;
      break;
    }
    if (word.startsWith("--")) {
      if (!harmlessLong.has(word)) doubts.push(`${word} makes the shell read other files first`);
      if (withValue.has(word)) at++;
      continue;
    }
    isCode ||= word.startsWith("-") && word.includes("c");
    readsInput ||= word.includes("s");
    if (!harmlessLetters.test(word)) doubts.push(`${word} changes how the shell reads`);
    // Each of them takes an option name in a separate word.
    at += word.match(/[oO]/gu)?.length ?? 0;
  }
  return { at, isCode, readsInput, doubts };
}

const harmlessLong: ReadonlySet<string> = new Set([
  "--norc",
  "--noprofile",
  "--posix",
  "--verbose",
]);

const withValue: ReadonlySet<string> = new Set(["--rcfile", "--init-file"]);

// `-i` and `-l` read start-up files, `-O` can enable options that change the language.
const harmlessLetters = /^[-+][abcefhmnopstuvxBCE]+$/u;
