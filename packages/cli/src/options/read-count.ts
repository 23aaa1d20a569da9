import type { CommandInput } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** Reads an option that takes a number of at least 1. */
export function readCount(
  { options }: Pick<CommandInput, "options">,
  name: string,
): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const count = Number(given);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError(
    `--${name} takes a whole number of at least 1, not ${JSON.stringify(given)}.`,
  );
}
