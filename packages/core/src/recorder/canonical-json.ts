/**
 * Returns JSON with sorted property names and no white space, so that equal values have equal texts.
 * Names are sorted by their UTF-16 code units.
 */
export function toCanonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  const properties = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${toCanonicalJson(item)}`);
  return `{${properties.join(",")}}`;
}
