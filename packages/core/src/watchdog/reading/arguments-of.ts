import type { ReadWord } from "../../commands/command-reading.ts";

/** Whether one of the options is given: letters as `-x`, also among others, words as `--word`. */
export function hasOption(
  args: readonly ReadWord[],
  letters: string,
  words: string[] = [],
): boolean {
  for (const arg of args) {
    if (arg === "--") return false;
    if (arg === undefined || !arg.startsWith("-")) continue;
    if (arg.startsWith("--") || words.includes(arg)) {
      if (words.some((word) => arg === word || arg.startsWith(`${word}=`))) return true;
    } else if ([...letters].some((letter) => arg.includes(letter))) return true;
  }
  return false;
}

/** What an option is set to, wherever it is given: `-x value`, `-xvalue`, `--word value`, `--word=value`. */
export function valuesOf(args: readonly ReadWord[], options: readonly string[]): ReadWord[] {
  const values: ReadWord[] = [];
  for (const [index, arg] of args.entries()) {
    if (arg === undefined) continue;
    for (const option of options) {
      if (arg === option) values.push(args[index + 1]);
      else if (option.startsWith("--") && arg.startsWith(`${option}=`)) {
        values.push(arg.slice(option.length + 1));
      } else if (/^-[^-]$/u.test(option) && arg.startsWith(option)) {
        values.push(arg.slice(option.length));
      }
    }
  }
  return values;
}

/** The arguments that are no options. */
export function operandsOf(args: readonly ReadWord[]): ReadWord[] {
  const end = args.indexOf("--");
  const before = end < 0 ? args : args.slice(0, end);
  const after = end < 0 ? [] : args.slice(end + 1);
  return [...before.filter((arg) => arg === undefined || !/^-./u.test(arg)), ...after];
}
