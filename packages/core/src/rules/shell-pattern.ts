import { countLiterals, escapeGlob } from "@haft/contract";
import type { ReadCommand, ReadWord } from "../commands/command-reading.ts";

/** The words that a command starts with, as a rule gives them. */
export interface ShellPattern {
  /** How much the pattern spells out. */
  readonly literals: number;
  /** Whether the rule covers all of the command: what it may not leave to a `*` is spelled out. */
  covers(command: ReadCommand): boolean;
  /** Whether this is a command of the kind that the rule means, under whatever path it is named. */
  concerns(command: ReadCommand): boolean;
  /** Whether the program is among words of which nothing more is known. */
  isAmong(words: readonly string[]): boolean;
}

/**
 * Compiles a list of words, matched as a prefix on word boundaries. `*` inside a word stays in the
 * word, and a last `*` is any further words, which the prefix allows anyway. A word with spaces is
 * quoted.
 */
export function compileShellPattern(pattern: string): ShellPattern {
  const words = splitPattern(pattern);
  if (words.length > 1 && words.at(-1) === "*") words.pop();
  const tests = words.map(compileWord);
  const program = compileWord(baseName(words[0] ?? ""));
  const startsWith = (given: readonly ReadWord[]): boolean =>
    tests.every((test, index) => test.fits(given[index]));
  const startsWithProgram = (given: readonly ReadWord[]): boolean =>
    program.fits(given[0] === undefined ? undefined : baseName(given[0])) &&
    tests.every((test, index) => index === 0 || test.fits(given[index]));
  return {
    literals: words.reduce((sum, word) => sum + countLiterals(word), words.length - 1),
    covers: ({ words: given, doubts, risks }) =>
      doubts.length === 0 &&
      !given.includes(undefined) &&
      startsWith(given) &&
      risks.every(({ word }) => tests[word]?.isLiteral === true),
    concerns: ({ words: given, plainWords }) =>
      startsWithProgram(given) || startsWithProgram(plainWords),
    isAmong: (given) => given.some((word) => program.fits(baseName(word))),
  };
}

/** The pattern that stands for exactly these words, and what follows them. */
export function toShellPattern(words: readonly string[]): string {
  return words
    .map((word) => {
      const literal = escapeGlob(word);
      return /^[^\s'"]+$/u.test(word) ? literal : `"${literal.replaceAll('"', '\\"')}"`;
    })
    .join(" ");
}

interface WordTest {
  readonly isLiteral: boolean;
  fits(word: ReadWord): boolean;
}

function compileWord(pattern: string): WordTest {
  const segments = splitAtStars(pattern);
  const [only] = segments;
  return segments.length === 1
    ? { isLiteral: true, fits: (word) => word === only }
    : { isLiteral: false, fits: (word) => word !== undefined && fitsSegments(word, segments) };
}

function splitAtStars(pattern: string): string[] {
  const segments = [""];
  for (const [token] of pattern.matchAll(/\\.|./gsu)) {
    if (token === "*") segments.push("");
    else segments.push(`${segments.pop()}${token.replace(/^\\(?=.)/su, "")}`);
  }
  return segments;
}

// Each text must come after the one before; the first and the last are at the ends.
function fitsSegments(word: string, segments: readonly string[]): boolean {
  const first = segments[0] as string;
  const last = segments.at(-1) as string;
  if (!word.startsWith(first) || word.length < first.length + last.length) return false;
  if (!word.endsWith(last)) return false;
  let at = first.length;
  for (const segment of segments.slice(1, -1)) {
    const found = word.indexOf(segment, at);
    if (found < 0) return false;
    at = found + segment.length;
  }
  return at <= word.length - last.length;
}

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
