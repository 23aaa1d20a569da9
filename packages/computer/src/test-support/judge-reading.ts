import type { CommandReading, ReadCommand, ReadWord } from "@haft/core";

/** What rules say about a reading. */
export type ReadingVerdict = "allow" | "ask" | "deny";

/** Rules on commands, each a list of words: those that allow, and those that deny. */
export interface ReadingRules {
  readonly allow: readonly string[];
  readonly deny?: readonly string[];
}

/**
 * Judges a reading as the rules of a session do, in a few lines: what is allowed must be certain and
 * spelled out where it is a risk, what is denied is denied wherever it shows.
 */
export function judgeReading(reading: CommandReading, rules: ReadingRules): ReadingVerdict {
  const { allow, deny = [] } = rules;
  if (deny.some((rule) => isDenied(reading, rule.split(" ")))) return "deny";
  const isCertain = reading.doubts.length === 0 && reading.writes.length === 0;
  if (!isCertain || reading.commands.length === 0) return "ask";
  return reading.commands.every((command) => allow.some((rule) => covers(rule.split(" "), command)))
    ? "allow"
    : "ask";
}

function covers(rule: readonly string[], { words, doubts, risks }: ReadCommand): boolean {
  const isLiteral = !words.includes(undefined) && doubts.length === 0;
  const spelled = rule.map((word) => word !== "*");
  return isLiteral && fits(rule, words) && risks.every(({ word }) => spelled[word] === true);
}

function fits(rule: readonly string[], words: readonly ReadWord[]): boolean {
  return rule.every((word, index) => word === "*" || word === words[index]);
}

function isDenied({ commands, looseWords }: CommandReading, rule: readonly string[]): boolean {
  const [program] = rule;
  const concerns = (words: readonly ReadWord[]): boolean =>
    fits(rule, [words[0]?.split("/").at(-1), ...words.slice(1)]);
  return (
    looseWords.some((word) => word.split("/").at(-1) === program) ||
    commands.some((command) =>
      [command.words, command.plainWords, ...command.wrappers].some(concerns),
    )
  );
}
