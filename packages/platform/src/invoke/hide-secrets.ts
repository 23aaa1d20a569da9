import { maskValues } from "../runner/mask-values.ts";

/** Makes texts fit to be kept: without secrets, and without what not every database can hold. */
export interface HideSecrets {
  inText(text: string): string;
  /** The value as JSON. */
  inJson(value: unknown): string;
}

/** Hides these values from what is kept of an invocation. */
export function createHideSecrets(secrets: readonly string[]): HideSecrets {
  const values = secrets.filter((secret) => secret !== "");
  if (values.length === 0) return nothingToHide;
  const mask = maskValues(values);
  const hide = (text: string): string => mask(withoutZeros(text));
  return {
    inText: hide,
    // Only in texts: a secret such as `1` must not tear the JSON apart.
    inJson: (value) => JSON.stringify(hideWithin(value, hide)),
  };
}

const nothingToHide: HideSecrets = {
  inText: withoutZeros,
  inJson: (value) => JSON.stringify(value),
};

// A text in PostgreSQL can't hold a zero.
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
