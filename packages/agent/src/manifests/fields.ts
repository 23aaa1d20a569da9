import { clipText } from "../loop/clip-text.ts";

/** What is wrong with a field, in a sentence that begins with its name. */
export function fieldError(field: string, complaint: string): TypeError {
  return new TypeError(`${field} ${complaint}`);
}

/** The value of a field that must be text with something in it. */
export function readText(field: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw fieldError(field, `must be text, not ${show(value)}.`);
}

/** The value of a field that is yes or no. */
export function readBoolean(field: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw fieldError(field, `must be true or false, not ${show(value)}.`);
}

/** The value of a field that lists texts. */
export function readTexts(field: string, value: unknown): string[] {
  return readList(field, value).map((item, at) => readText(`${field}[${at}]`, item));
}

/** The value of a field that lists whatever. */
export function readList(field: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw fieldError(field, `must be a list, not ${show(value)}.`);
}

/** The value of a field that has fields of its own, of which there are only these. */
export function readObject(
  field: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw fieldError(field, `must have fields, and not be ${show(value)}.`);
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger === undefined) return value;
  throw fieldError(`${field}.${stranger}`, `is not known. There are ${known.join(", ")}.`);
}

/** Whether a value is a map of names. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in a few words, for a complaint about it. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  const text = JSON.stringify(value) ?? "something else";
  return text.length > 60 ? `${clipText(text, 60)}…` : text;
}
