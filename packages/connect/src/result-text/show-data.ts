import { isPlainObject } from "@haft/contract/internal";
import { showList } from "./show-list.ts";
import { type ShownData, showOwnResult } from "./show-own-result.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Formats any data: of our tools as a person would write it, of others field by field. */
export function showData(data: unknown, roots: readonly string[]): ShownData {
  if (typeof data === "string") return { facts: "", body: data };
  if (Array.isArray(data)) return { facts: "", body: showList(data, roots) ?? showValue(data) };
  if (!isPlainObject(data)) return { facts: "", body: JSON.stringify(data) ?? "null" };
  return showOwnResult(data, roots) ?? showFields(data, roots);
}

function showFields(data: Fields, roots: readonly string[]): ShownData {
  const parts = findParts(data, roots);
  const facts = Object.entries(data)
    .filter(([key, value]) => !parts.has(key) && !(value === "" && bodies.includes(key)))
    .map(([key, value]) => showFact(key, value));
  return { facts: facts.join("\n"), body: [...parts.values()].join("\n\n") };
}

// A tool has one main text. Other long texts stay recognisable as fields.
const bodies = ["content", "output", "text", "head"];
const lists = ["matches", "files", "content", "undone"];

function findParts(data: Fields, roots: readonly string[]): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const body = bodies.find((key) => isText(data[key]));
  if (body !== undefined) parts.set(body, data[body] as string);
  for (const key of lists) {
    const list = Array.isArray(data[key]) ? showList(data[key], roots) : undefined;
    if (list !== undefined) parts.set(key, list);
  }
  for (const key of ["diff", "message"]) if (isText(data[key])) parts.set(key, data[key]);
  return parts;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function showFact(key: string, value: unknown): string {
  const shown = showValue(value);
  const isBlock = shown.startsWith("- ") && Array.isArray(value);
  return isBlock ? `${key}:\n${shown}` : `${key}: ${shown}`;
}

// Lists of objects are read more easily as items than as one line of JSON.
function showValue(value: unknown): string {
  if (typeof value === "string" && value !== "" && !/[\r\n]/u.test(value)) return value;
  const isList = Array.isArray(value) && value.length > 0 && value.every(isFlat);
  if (!isList) return JSON.stringify(value) ?? "null";
  return value
    .map((item) => {
      const fields = Object.entries(item).map(([key, field]) => `${key}: ${showValue(field)}`);
      return `- ${fields.join("\n  ")}`;
    })
    .join("\n");
}

function isFlat(item: unknown): item is Fields {
  return (
    isPlainObject(item) &&
    Object.keys(item).length > 0 &&
    Object.values(item).every((value) => typeof value !== "object" || value === null)
  );
}
