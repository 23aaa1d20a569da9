import type { CatalogEntry } from "@haft/contract";
import MiniSearch from "minisearch";
import { joinName, similarTerms, splitName, splitText, toolPart, toTerm } from "./terms.ts";

/** The tools that were found, and the requested names that do not exist. */
export interface FoundTools {
  readonly found: readonly CatalogEntry[];
  readonly missing: readonly string[];
}

/** Finds tools by words, or by exact names after `select:`. Best match first. */
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

/** A list of tools that can be searched. */
export interface ToolIndex {
  /** The tool of this name; small and capital letters are the same. */
  get(name: string): CatalogEntry | undefined;
  /** Those that fit best by BM25, in an order that is always the same. */
  search(query: string, limit: number): CatalogEntry[];
}

// A list is indexed once; it is another one when a tool comes or goes.
const indexes = new WeakMap<readonly CatalogEntry[], ToolIndex>();

/** The index of a list. */
export function toolIndexOf(entries: readonly CatalogEntry[]): ToolIndex {
  let index = indexes.get(entries);
  if (index === undefined) {
    index = buildIndex(entries);
    indexes.set(entries, index);
  }
  return index;
}

// A word of the name counts like so many of the description. As one field with the words repeated
// a search takes half as long as with two fields of different weight.
const nameWeight = 4;
// What a similar term counts beside one that was written.
const similarWeight = 0.5;

function buildIndex(entries: readonly CatalogEntry[]): ToolIndex {
  const byName = new Map<string, number>();
  const byPart = new Map<string, number[]>();
  /** In how many tools a term is. */
  const known = new Map<string, number>();
  const search = new MiniSearch<Document>({
    fields: ["text"],
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
    searchOptions: { weights: { fuzzy: 0.3, prefix: 0.5 } },
  });
  const documents = entries.map(({ name, description }, id) => {
    byName.set(name.toLowerCase(), byName.get(name.toLowerCase()) ?? id);
    const part = toolPart(name).toLowerCase();
    byPart.set(part, [...(byPart.get(part) ?? []), id]);
    const names = [...splitName(name).map(toTerm), joinName(toolPart(name))];
    const words = splitText(description).map(toTerm);
    for (const term of new Set([...names, ...words])) known.set(term, (known.get(term) ?? 0) + 1);
    const weighty = Array.from({ length: nameWeight }, () => names).flat();
    return { id, text: [...weighty, ...words].join(" ") };
  });
  search.addAll(documents);

  const isUnknown = (term: string): boolean => !known.has(term);
  const get = (name: string): CatalogEntry | undefined => {
    const id = byName.get(name.trim().toLowerCase());
    return id === undefined ? undefined : entries[id];
  };
  return {
    get,
    search: (query, limit) => {
      const whole = query.trim().toLowerCase();
      const exact = [...toList(byName.get(whole)), ...(byPart.get(whole) ?? [])];
      const said = new Set(splitName(query).map(toTerm));
      const similar = [...said].flatMap(similarTerms).filter((term) => known.has(term));
      const terms = new Set([...said, ...similar]);
      const ranked = search.search(chooseTerms(terms, known, entries.length).join(" "), {
        // Words that are there are meant; only the others may be beginnings or slips.
        prefix: (term) => isUnknown(term),
        fuzzy: (term) => (isUnknown(term) && term.length > 3 ? 0.25 : false),
        boostTerm: (term) => (said.has(term) ? 1 : similarWeight),
      });
      ranked.sort((one, other) => other.score - one.score || one.id - other.id);
      const ids = new Set([...exact, ...ranked.slice(0, limit).map(({ id }) => id as number)]);
      return Array.from(ids, (id) => entries[id] as CatalogEntry).slice(0, limit);
    },
  };
}

interface Document {
  readonly id: number;
  readonly text: string;
}

/**
 * The rarest terms. What is in a great many tools tells them apart least and takes longest, so it
 * is left out where rarer terms have found a good part of the tools already.
 */
function chooseTerms(
  terms: ReadonlySet<string>,
  known: ReadonlyMap<string, number>,
  tools: number,
): string[] {
  const count = (term: string): number => known.get(term) ?? 0;
  const rarest = [...terms].sort((one, other) => count(one) - count(other));
  const enough = Math.max(500, tools / 2);
  let found = 0;
  return rarest.filter((term, at) => {
    found += count(term);
    return at === 0 || found <= enough;
  });
}

function toList(id: number | undefined): number[] {
  return id === undefined ? [] : [id];
}
