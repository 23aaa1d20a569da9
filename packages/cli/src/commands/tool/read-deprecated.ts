import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

/** Which of the two is wanted, `undefined` for both. */
export function readDeprecated({ options }: CommandInput): boolean | undefined {
  if (options.deprecated === true && options.active === true) {
    throw new UsageError("--deprecated and --active leave nothing. Leave one of them out.");
  }
  if (options.deprecated === true) return true;
  return options.active === true ? false : undefined;
}
