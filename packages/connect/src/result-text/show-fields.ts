import { showList } from "./show-list.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Data as short facts, one a line, with the long parts below them as they are. `undefined` where
 * nothing in it is better read as text than as JSON.
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

// A tool has one text that it is about; what else is long stays recognisable as a field.
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
