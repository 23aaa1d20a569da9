import { maskValues } from "../runner/mask-values.ts";

/** Removes secrets, and characters that not every database can store, before texts are stored. */
export interface HideSecrets {
  inText(text: string): string;
  /** Returns the value as JSON. */
  inJson(value: unknown): string;
}

/** Creates a function that hides these values in the record of an invocation. */
export function createHideSecrets(secrets: readonly string[]): HideSecrets {
  const values = secrets.filter((secret) => secret !== "");
  if (values.length === 0) return nothingToHide;
  const mask = maskValues(values);
  const hide = (text: string): string => mask(withoutZeros(text));
  return {
    inText: hide,
    // Only in strings: replacing a secret such as `1` must not break the JSON.
    inJson: (value) => JSON.stringify(hideWithin(value, hide)),
  };
}

const nothingToHide: HideSecrets = {
  inText: withoutZeros,
  inJson: (value) => JSON.stringify(value),
};

// PostgreSQL can't store a NUL character in a text.
function withoutZeros(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u{fffd}") : text;
}

function hideWithin(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((one) => hideWithin(one, hide));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [hide(name), hideWithin(one, hide)]),
  );
}
