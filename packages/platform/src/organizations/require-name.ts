import { Problem } from "../problem.ts";

const maxLength = 100;

/** Trims a name. Throws if it is empty or too long. */
export function requireName(what: string, name: string): string {
  const trimmed = name.trim();
  const { length } = [...trimmed];
  if (length < 1 || length > maxLength || /\p{Cc}/u.test(trimmed)) {
    throw new Problem(
      400,
      `The name of ${what} must have 1 to ${maxLength} characters, without control characters; this one has ${length}.`,
    );
  }
  return trimmed;
}
