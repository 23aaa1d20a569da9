import { UsageError } from "../../usage-error.ts";

const mostCharacters = 64;

/** A name that a tool can have. */
export function requireToolName(name: string | undefined): string {
  if (name === undefined) throw new UsageError("What is the tool to be called?");
  if (/^[a-z0-9_]+$/u.test(name) && name.length <= mostCharacters) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is no name for a tool: up to ${mostCharacters} small letters, digits and _.`,
  );
}
