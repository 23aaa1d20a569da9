import { utf8Length } from "./utf8.ts";
import { isPlainObject } from "./values.ts";

/** The room that a result has as text. */
export interface TextLimit {
  readonly bytes: number;
  /** Default: unlimited. */
  readonly lines?: number | undefined;
}

/**
 * Returns how many entries of a list fit, from its start. A path that the entry before has too is
 * counted once, because texts name it once.
 */
export function countFitting(entries: readonly unknown[], limit: TextLimit): number {
  let { bytes, lines = Number.POSITIVE_INFINITY } = limit;
  let previous: unknown;
  for (const [index, entry] of entries.entries()) {
    const path = isPlainObject(entry) ? entry.path : undefined;
    const isNew = typeof path === "string" && path !== previous;
    const text = typeof entry === "string" ? entry : (JSON.stringify(entry) ?? "");
    const repeated = typeof path === "string" && !isNew ? utf8Length(JSON.stringify(path)) : 0;
    bytes -= utf8Length(text) + 1 - repeated;
    lines -= 1 + (isNew ? 1 : 0) + countContext(entry);
    if (bytes < 0 || lines < 0) return index;
    previous = path;
  }
  return entries.length;
}

// Lists within an entry, such as the lines around a match, take a line for each of their items.
function countContext(entry: unknown): number {
  if (!isPlainObject(entry)) return 0;
  return Object.values(entry).reduce(
    (sum: number, value) => sum + (Array.isArray(value) ? value.length : 0),
    0,
  );
}
