import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

/** A number from 1 on that an option gives, if it was given. */
export function readCount({ options }: CommandInput, name: string): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const count = Number(given);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError(`--${name} takes a number from 1 on, not ${JSON.stringify(given)}.`);
}
