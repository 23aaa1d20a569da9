import { showList } from "./show-list.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Formats data as short facts, one per line, followed by its long texts unchanged. Returns
 * `undefined` if the data is read better as JSON.
 */
export function showFields(data: unknown): string | undefined {
  if (Array.isArray(data)) return showList(data);
  if (typeof data !== "object" || data === null) return undefined;
  const parts = findParts(data as Fields);
  if (parts.size === 0) return undefined;
  const facts = Object.entries(data)
    .filter(([key]) => !parts.has(key))
    .map(([key, value]) => `${key}: ${showFact(value)}`);
  return [facts.join("\n"), ...parts.values()].filter((part) => part !== "").join("\n\n");
}

// A tool has one main text. Other long texts stay recognisable as fields.
const bodies = ["content", "output", "text", "head"];
const lists = ["matches", "files", "content", "undone"];

function findParts(data: Fields): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const body = bodies.find((key) => isText(data[key]));
  if (body !== undefined) parts.set(body, data[body] as string);
  for (const key of lists) {
    const list = Array.isArray(data[key]) ? showList(data[key]) : undefined;
    if (list !== undefined) parts.set(key, list);
  }
  for (const key of ["diff", "message"]) if (isText(data[key])) parts.set(key, data[key]);
  return parts;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function showFact(value: unknown): string {
  const isPlain = typeof value === "string" && value !== "" && !/[\r\n]/u.test(value);
  return isPlain ? value : (JSON.stringify(value) ?? "null");
}
