import { countLiterals, escapeGlob } from "@haft/contract/internal";
import type { ReadCommand, ReadWord } from "../commands/command-reading.ts";
import { compileWord, type LinkView, type WordTest } from "./word-pattern.ts";

/** The pattern of a rule for the first words of a command. */
export interface ShellPattern {
  /** Number of literal characters. */
  readonly literals: number;
  /**
   * Tells whether the pattern covers the whole command, with all risky words spelled out. Words that a
   * star matches must also match by where they lead.
   */
  covers(command: ReadCommand, links: LinkView): boolean;
  /** Tells whether the pattern applies to the command, under any path of the program. */
  concerns(command: ReadCommand): boolean;
  /** Tells whether the program is among unparsed words. */
  isAmong(words: readonly string[]): boolean;
}

/**
 * Compiles a list of words that match the start of a command. `*` inside a word matches within the
 * word. A last `*` stands for any further words. They are covered anyway, except after a path with a
 * star: there, each further word must be an option or match that path. A word with spaces is quoted.
 */
export function compileShellPattern(pattern: string): ShellPattern {
  const words = splitPattern(pattern);
  const isOpen = words.length > 1 && words.at(-1) === "*";
  if (isOpen) words.pop();
  const tests = words.map(compileWord);
  const last = tests.at(-1);
  const bound = !isOpen && last?.isPath === true ? last : undefined;
  const program = compileWord(baseName(words[0] ?? ""));
  const startsWith = (given: readonly ReadWord[]): boolean =>
    tests.every((test, index) => test.fits(given[index]));
  const startsWithProgram = (given: readonly ReadWord[]): boolean =>
    program.fits(given[0] === undefined ? undefined : baseName(given[0])) &&
    tests.every((test, index) => index === 0 || test.fits(given[index]));
  return {
    literals: words.reduce((sum, word) => sum + countLiterals(word), words.length - 1),
    covers: ({ words: given, doubts, risks, cwd }, links) =>
      doubts.length === 0 &&
      !given.includes(undefined) &&
      startsWith(given) &&
      risks.every(({ word }) => tests[word]?.isLiteral === true) &&
      tests.every((test, index) => test.fitsLanding(given[index], cwd, links)) &&
      (bound === undefined ||
        given.slice(tests.length).every((word) => isWithin(word, bound, { cwd, links }))),
    concerns: ({ words: given, plainWords }) =>
      startsWithProgram(given) || startsWithProgram(plainWords),
    isAmong: (given) => given.some((word) => program.fits(baseName(word))),
  };
}

/** Returns the pattern that matches exactly these words and anything after them. */
export function toShellPattern(words: readonly string[]): string {
  return words
    .map((word) => {
      const literal = escapeGlob(word);
      return /^[^\s'"]+$/u.test(word) ? literal : `"${literal.replaceAll('"', '\\"')}"`;
    })
    .join(" ");
}

function isWithin(
  word: ReadWord,
  bound: WordTest,
  { cwd, links }: { readonly cwd: string | undefined; readonly links: LinkView },
): boolean {
  if (word !== undefined && harmlessOption.test(word)) return true;
  return bound.fits(word) && bound.fitsLanding(word, cwd, links);
}

// An option that names no path.
const harmlessOption = /^-(?!.*(?:\/|\.\.))/su;

function splitPattern(pattern: string): string[] {
  const parts = pattern.match(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'\\]|["'\\])+/gsu) ?? [];
  return parts.map((part) =>
    part.replaceAll(/\\.|"((?:\\.|[^"\\])*)"|'([^']*)'/gsu, (whole, double, single) => {
      if (double !== undefined) return (double as string).replaceAll('\\"', '"');
      return single === undefined ? whole : escapeGlob(single as string);
    }),
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
