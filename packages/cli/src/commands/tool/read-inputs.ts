import { isPlainObject } from "@haft/contract/internal";
import type { InvocationInput, InvocationMode } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { optionChoice, optionTexts, splitPair } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { readCallArguments } from "../../options/read-call-arguments.ts";
import { UsageError } from "../../usage-error.ts";
import { readSecretPair } from "./secret-value.ts";

const maxInputs = 10;
const modes = ["regular", "conversation-simulation"] as const satisfies readonly InvocationMode[];

/** Reads inputs from the command line: one object, an array of several, or pairs. */
export async function readInputs(
  words: readonly string[],
  input: CommandInput,
  io: Io,
): Promise<readonly InvocationInput[]> {
  const given = await readCallArguments(words, io);
  const value: unknown = typeof given === "string" ? parseInput(given) : given;
  return toInputs(Array.isArray(value) ? value : [value], input, io);
}

/** Turns parsed values, one for each input, into invocation inputs. */
export function toInputs(
  values: readonly unknown[],
  input: CommandInput,
  io: Io,
): readonly InvocationInput[] {
  if (values.length === 0 || values.length > maxInputs) {
    throw new UsageError(`1 to ${maxInputs} inputs are allowed, but there are ${values.length}.`);
  }
  const invocation_mode = optionChoice(input, "mode", modes) ?? "regular";
  const pairs = (name: string, read: (word: string) => readonly [string, string]) =>
    Object.fromEntries(optionTexts(input, name).map(read));
  const plain = "user-variable";
  const sensitive = "sensitive-user-variable";
  const variables = {
    nonsensitive_user_variables: pairs(plain, (word) => splitPair(word, `--${plain}`)),
    sensitive_user_variables: pairs(sensitive, (word) =>
      readSecretPair(word, `--${sensitive}`, io),
    ),
  };
  return values.map((value) => ({
    input_parameters: requireObject(value),
    invocation_mode,
    ...variables,
  }));
}

/** Parses the JSON of an input. */
export function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `The input is not valid JSON: ${(error as Error).message}. Write '{"name": "value"}', name=value, or name:=JSON.`,
    );
  }
}

function requireObject(value: unknown): Record<string, unknown> {
  if (isPlainObject(value)) return value;
  throw new UsageError(
    `An input is an object, such as '{"name": "value"}', not ${JSON.stringify(value)}.`,
  );
}
