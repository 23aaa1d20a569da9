/** A value that was meant as text: one that YAML takes for a number or a truth value is one too. */
export function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
