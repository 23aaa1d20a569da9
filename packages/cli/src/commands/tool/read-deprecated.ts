import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

/** Returns whether only deprecated or only active ones are wanted; `undefined` for both. */
export function readDeprecated({ options }: CommandInput): boolean | undefined {
  if (options.deprecated === true && options.active === true) {
    throw new UsageError("--deprecated and --active exclude each other. Use only one of them.");
  }
  if (options.deprecated === true) return true;
  return options.active === true ? false : undefined;
}
