import { clipText, isPlainObject } from "@haft/contract/internal";

/** Creates an error whose message begins with the field's name. */
export function fieldError(field: string, complaint: string): TypeError {
  return new TypeError(`${field} ${complaint}`);
}

/** Reads a field that must be a non-empty string. */
export function readText(field: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw fieldError(field, `must be a non-empty string, not ${show(value)}.`);
}

/** Reads a boolean field. */
export function readBoolean(field: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw fieldError(field, `must be true or false, not ${show(value)}.`);
}

/** Reads a field that must be a list of strings. */
export function readTexts(field: string, value: unknown): string[] {
  return readList(field, value).map((item, at) => readText(`${field}[${at}]`, item));
}

/** Reads a field that must be a list. */
export function readList(field: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw fieldError(field, `must be a list, not ${show(value)}.`);
}

/** Reads a field that must be an object with no other than the known fields. */
export function readObject(
  field: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value))
    throw fieldError(field, `must be a map of fields, not ${show(value)}.`);
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger === undefined) return value;
  throw fieldError(`${field}.${stranger}`, `is unknown. Known fields: ${known.join(", ")}.`);
}

/** Describes a value for an error message. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  const text = JSON.stringify(value) ?? "something else";
  return clipText(text, 61);
}
