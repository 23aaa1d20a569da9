import type { CatalogEntry } from "@haft/contract";
import { toolIndexOf } from "./tool-index.ts";

/** Tools that were found, and names that were asked for in vain. */
export interface FoundTools {
  readonly found: readonly CatalogEntry[];
  readonly missing: readonly string[];
}

/** Finds tools by words, or by their very names after `select:`; the best first. */
export function findTools(
  entries: readonly CatalogEntry[],
  query: string,
  limit: number,
): FoundTools {
  const index = toolIndexOf(entries);
  const names = /^\s*select:(?<names>.*)$/isu.exec(query)?.groups?.names;
  if (names === undefined) return { found: index.search(query, limit), missing: [] };
  const asked = names.split(",").map((name) => name.trim());
  const wanted = [...new Set(asked.filter((name) => name !== ""))];
  const found = wanted.flatMap((name) => index.get(name) ?? []);
  return {
    found: found.slice(0, limit),
    missing: wanted.filter((name) => index.get(name) === undefined),
  };
}
