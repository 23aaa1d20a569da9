import type { CommandInput } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** Returns the value of an option that takes one. */
export function optionText({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the values of an option that can be repeated. */
export function optionTexts({ options }: CommandInput, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Reads a whole number; `undefined` if the option was not given. */
export function optionNumber(input: CommandInput, name: string): number | undefined {
  const text = optionText(input, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number, not ${JSON.stringify(text)}.`);
}

/** Reads one of a few values; `undefined` if the option was not given. */
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

/** Splits `NAME=VALUE` at the first equals sign. */
export function splitPair(word: string, where: string): readonly [string, string] {
  const at = word.indexOf("=");
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  // Without an equals sign the word may be a secret, so the error does not repeat it.
  throw new UsageError(`${where} takes NAME=VALUE.`);
}
