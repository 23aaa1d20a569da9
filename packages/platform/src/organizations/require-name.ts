import { Problem } from "../problem.ts";

const longest = 100;

/** A name without the spaces around it. Throws if nothing is left, or too much. */
export function requireName(what: string, name: string): string {
  const trimmed = name.trim();
  const { length } = [...trimmed];
  if (length < 1 || length > longest || /\p{Cc}/u.test(trimmed)) {
    throw new Problem(
      400,
      `The name of ${what} must have 1 to ${longest} characters, without control characters; this one has ${length}.`,
    );
  }
  return trimmed;
}
