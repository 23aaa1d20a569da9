import { clipText } from "@haft/contract/internal";
import { InvalidRequest } from "../problem.ts";
import type { ToolTagRow } from "../store/schema.ts";

/** What a tool is marked with: a value, or nothing, for each key. */
export type Tags = Readonly<Record<string, string | null>>;

/** One tag, as the wire shows it. */
export type Tag = Pick<ToolTagRow, "key" | "value">;

/** Trims tags. Throws an `InvalidRequest` if two keys are the same then. */
export function toTags(tags: Tags): readonly Tag[] {
  const found = new Map<string, Tag>();
  for (const [name, value] of Object.entries(tags)) {
    const key = name.trim();
    if (found.has(key)) {
      const msg = `The key ${JSON.stringify(key)} is given twice. Give each key once.`;
      throw new InvalidRequest([{ loc: ["body", "tags", name], msg, type: "value_error" }]);
    }
    found.set(key, { key, value: value?.trim() ?? null });
  }
  return [...found.values()];
}

/** The text of a tag in filters: `key:value`, or `key:` for one without a value. */
export function toTagText({ key, value }: Tag): string {
  return `${key}:${value ?? ""}`;
}

/** Which values a tag may have: any (nothing included), or those listed (`null` for nothing). */
export type WantedValues = "any" | readonly (string | null)[];

const word = /^\s*\w[\w\s]*$/;

/**
 * Understands `key:value`, `key:*` for whatever value, and `key:` for none. Several of one key are
 * alternatives; of different keys a tool needs each. Throws an `InvalidRequest`.
 */
export function toTagFilter(
  texts: readonly string[],
  loc: readonly string[] = ["query", "tag"],
): ReadonlyMap<string, WantedValues> {
  const wanted = new Map<string, WantedValues>();
  for (const text of texts) {
    const colon = text.indexOf(":");
    const key = text.slice(0, colon).trim();
    const value = text.slice(colon + 1).trim();
    if (colon < 0 || !word.test(key) || !(value === "" || value === "*" || word.test(value))) {
      throw new InvalidRequest([{ loc, msg: describe(text), type: "value_error" }]);
    }
    const before = wanted.get(key) ?? [];
    if (value === "*" || before === "any") wanted.set(key, "any");
    else wanted.set(key, [...before, value === "" ? null : value]);
  }
  return wanted;
}

function describe(text: string): string {
  const shown = JSON.stringify(clipText(text, 41));
  return `${shown} is not a tag. Write key:value, key:* for any value, or key: for a tag without a value.`;
}
