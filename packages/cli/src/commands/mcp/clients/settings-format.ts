import type { JsonValue } from "@haft/contract";

/** How a settings file is written: JSON with comments, or TOML. */
export interface SettingsFormat {
  /** Its value; an empty file has no settings. Throws where the text is not of this format. */
  read(text: string): unknown;
  /** The text with one entry set and everything else as it was, comments and layout included. */
  set(text: string, keys: readonly [string, string], entry: JsonValue): string;
}

/** What there is under these keys. */
export function valueAt(settings: unknown, keys: readonly string[]): unknown {
  let value = settings;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** The same settings with an entry set; the oracle for what a change of the text must amount to. */
export function withEntry(
  settings: unknown,
  [section, name]: readonly [string, string],
  entry: JsonValue,
): unknown {
  const entries = valueAt(settings, [section]);
  return { ...(settings as object), [section]: { ...(entries as object), [name]: entry } };
}
