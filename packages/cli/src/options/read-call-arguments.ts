import type { JsonValue } from "@haft/contract";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Reads the arguments of a call from the words after its name: one JSON text, `-` for JSON on standard
 * input, or pairs: `key=value` for text (converted to a number if the schema says so) and `key:=value`
 * for JSON.
 */
export async function readCallArguments(
  words: readonly string[],
  io: Io,
): Promise<string | JsonValue> {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first === "-") return io.readInput();
  // JSON stays text: the call itself reports what is wrong with it.
  if (words.length === 1 && !isPair(first)) return first;
  return Object.fromEntries(words.map(readPair));
}

const pair = /^([A-Za-z_][\w-]*)(:?=)(.*)$/su;

function isPair(word: string): boolean {
  return pair.test(word);
}

function readPair(word: string): [string, JsonValue] {
  const [, key, operator, value] = pair.exec(word) ?? [];
  if (key === undefined || value === undefined) {
    throw new UsageError(
      `${JSON.stringify(word)} is not an argument. Write key=value, key:=JSON, or one JSON object.`,
    );
  }
  if (operator === "=") return [key, value];
  try {
    return [key, JSON.parse(value) as JsonValue];
  } catch (error) {
    throw new UsageError(`${key}:= takes JSON: ${(error as Error).message}.`);
  }
}
