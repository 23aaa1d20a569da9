import { splitPair } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { UsageError } from "../../usage-error.ts";

/** Reads `NAME=VALUE`, or `NAME=@VARIABLE` to take the value from the environment. */
export function readSecretPair(
  word: string,
  where: string,
  { environment }: Io,
): readonly [string, string] {
  const [name, value] = splitPair(word, where);
  if (!value.startsWith("@")) return [name, value];
  const variable = value.slice(1);
  const found = environment[variable];
  if (found !== undefined) return [name, found];
  throw new UsageError(
    `${where} ${name}: the environment variable ${JSON.stringify(variable)} is not set.`,
  );
}
