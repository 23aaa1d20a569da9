import type { JsonValue } from "@haft/contract";

/** The format of a settings file: JSON with comments, or TOML. */
export interface SettingsFormat {
  /** Parses the text; an empty file has no settings. Throws if the text is invalid. */
  read(text: string): unknown;
  /** Sets one entry and keeps everything else, including comments and layout. */
  set(text: string, keys: readonly [string, string], entry: JsonValue): string;
}

/** Returns the value under these keys. */
export function valueAt(settings: unknown, keys: readonly string[]): unknown {
  let value = settings;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** Sets an entry in parsed settings. A changed text must parse to the same value. */
export function withEntry(
  settings: unknown,
  [section, name]: readonly [string, string],
  entry: JsonValue,
): unknown {
  const entries = valueAt(settings, [section]);
  return { ...(settings as object), [section]: { ...(entries as object), [name]: entry } };
}
