import { isPicture } from "../output/is-picture.ts";

/** Data with its texts changed by a function; the data itself if none of them changed. */
export function mapStrings(data: unknown, change: ChangeText, depth = 0): unknown {
  if (typeof data === "string") return change(data);
  if (typeof data !== "object" || data === null) return data;
  // A cyclic value would never end. JSON has no cycles, and real data is not nested this deeply.
  if (depth > maxDepth) return "[nested too deeply]";
  return Array.isArray(data)
    ? mapItems(data, change, depth)
    : mapFields(data as Fields, change, depth);
}

type ChangeText = (text: string) => string;

const maxDepth = 1000;

type Fields = Readonly<Record<string, unknown>>;

function mapItems(items: readonly unknown[], change: ChangeText, depth: number): unknown {
  let changed: unknown[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    const mapped = mapStrings(item, change, depth + 1);
    if (mapped === item) continue;
    changed ??= items.slice();
    changed[at] = mapped;
  }
  return changed ?? items;
}

function mapFields(fields: Fields, change: ChangeText, depth: number): unknown {
  const keys = Object.keys(fields);
  let entries: [string, unknown][] | undefined;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string;
    const value = fields[key];
    // One wrong character in base64 spoils the whole.
    const mapped =
      key === "data" && isPicture(fields) ? value : mapStrings(value, change, depth + 1);
    const name = change(key);
    if (mapped === value && name === key) continue;
    entries ??= Object.entries(fields);
    entries[at] = [name, mapped];
  }
  return entries === undefined ? fields : Object.fromEntries(entries);
}
