import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

const maxCharacters = 64;

/** Returns the first argument if it is a valid name for a tool. */
export function requireToolName({ positionals: [name = ""] }: CommandInput): string {
  if (/^[a-z0-9_]+$/u.test(name) && name.length <= maxCharacters) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a valid tool name: use up to ${maxCharacters} lowercase letters, digits and _.`,
  );
}
