import { cleanWebLine } from "../web-fetch/clean-web-text.ts";
import type { SearchResult } from "./search-provider.ts";

const longestTitle = 300;
const longestSnippet = 1_000;

/** Results that can be shown: pages of the web, in plain words, each once, no more than asked for. */
export function cleanResults(found: readonly SearchResult[], most: number): SearchResult[] {
  const results = new Map<string, SearchResult>();
  for (const { title, url, snippet } of found) {
    const address = URL.parse(url);
    if (results.size >= most) break;
    if (address === null || !/^https?:$/u.test(address.protocol)) continue;
    if (address.username !== "" || address.password !== "" || results.has(address.href)) continue;
    results.set(address.href, {
      title: toWords(title, longestTitle) || address.hostname,
      url: address.href,
      snippet: toWords(snippet, longestSnippet),
    });
  }
  return [...results.values()];
}

function toWords(text: string, longest: number): string {
  // Nobody shows as much of it, and some send whole pages.
  const plain = text
    .slice(0, longest * 10)
    .replaceAll(tags, "")
    .replaceAll(entities, (entity, name: string) => decodeEntity(name) ?? entity);
  const line = cleanWebLine(plain);
  return line.length > longest
    ? `${line.slice(0, longest - 1).trimEnd()}\u2026`.toWellFormed()
    : line;
}

// Those that engines put around what was searched for; other brackets are part of a text.
const tags = /<\/?(?:b|strong|em|i|mark|span|br|p|a|code)\b[^<>]{0,200}>/giu;
const entities = /&(#x?[0-9a-f]{1,6}|[a-z]{2,6});/giu;

const names = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["gt", ">"],
  ["hellip", "\u2026"],
  ["lt", "<"],
  ["mdash", "\u2014"],
  ["middot", "\u00b7"],
  ["nbsp", " "],
  ["ndash", "\u2013"],
  ["quot", '"'],
]);

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith("#")) return names.get(name.toLowerCase());
  const code = /^#x/iu.test(name)
    ? Number.parseInt(name.slice(2), 16)
    : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
