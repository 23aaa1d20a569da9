import type { CommandInput } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** What was given for an option that takes one value. */
export function optionText({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** What was given for an option that can be repeated. */
export function optionTexts({ options }: CommandInput, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** A whole number, `undefined` if the option was not given. */
export function optionNumber(input: CommandInput, name: string): number | undefined {
  const text = optionText(input, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}.`);
}

/** One of these words, `undefined` if the option was not given. */
export function optionChoice<Choice extends string>(
  input: CommandInput,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = optionText(input, name);
  if (text === undefined) return undefined;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} is one of ${choices.join(", ")}, not ${JSON.stringify(text)}.`);
}

/** `NAME=VALUE` in two; the value may have further signs in it. */
export function splitPair(word: string, where: string): readonly [string, string] {
  const at = word.indexOf("=");
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  // Without a sign it may be a secret as a whole, so it is not said again.
  throw new UsageError(`${where} takes NAME=VALUE.`);
}

/** Refuses more words than a command knows what to do with. */
export function refuseMore(words: readonly string[], most: number): void {
  const extra = words[most];
  if (extra !== undefined) throw new UsageError(`What is ${JSON.stringify(extra)}?`);
}
