import { Problem } from "../problem.ts";

/**
 * Parses the JSON of a column. Throws a `Problem` that names the row if it is not as expected: a
 * database can be damaged or edited by hand.
 */
export function readStoredJson<Value>(
  text: string,
  what: string,
  isRight: (value: unknown) => boolean = () => true,
): Value {
  const value = parse(text);
  if (value !== undefined && isRight(value)) return value as Value;
  throw new Problem(
    500,
    `${what} is damaged in the server's database. Replace it, or ask the operator to restore a backup.`,
  );
}

/** Parses the JSON of one row among many. Returns a fallback if it is damaged. */
export function readStoredJsonOr<Value>(
  text: string,
  fallback: Value,
  isRight: (value: unknown) => boolean,
): Value {
  const value = parse(text);
  return value !== undefined && isRight(value) ? (value as Value) : fallback;
}

/** Returns whether a value is an array of strings. */
export function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
