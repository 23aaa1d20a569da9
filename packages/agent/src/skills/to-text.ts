/** Returns a scalar as text. YAML parses unquoted numbers and booleans, which were meant as text. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
