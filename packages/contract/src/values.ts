/** Tells whether a value is an object with fields: not `null`, not an array. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the message of a thrown value. Anything can be thrown, even values without a text form. */
export function toErrorMessage(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "something that can't be turned into text was thrown";
  }
}

/**
 * Cuts a text to at most `maxLength` UTF-16 units, `mark` included. The mark is added only if
 * something was cut. A character outside the basic plane is never split.
 */
export function clipText(text: string, maxLength: number, mark = "…"): string {
  if (text.length <= maxLength) return text;
  const end = Math.max(0, maxLength - mark.length);
  const splitsPair =
    isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end));
  return text.slice(0, splitsPair ? end - 1 : end) + mark;
}

/** Tells whether a path is a directory or lies below it. Both are absolute and normalised. */
export function isInside(directory: string, path: string): boolean {
  if (directory === "/") return path.startsWith("/");
  return (
    path.startsWith(directory) &&
    (path.length === directory.length || path[directory.length] === "/")
  );
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
