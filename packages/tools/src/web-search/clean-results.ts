import { clipText } from "@haft/contract/internal";
import { cleanWebLine } from "../web-fetch/clean-web-text.ts";
import type { SearchResult } from "./search-provider.ts";

const maxTitleLength = 300;
const maxSnippetLength = 1_000;

/** Returns the results that can be shown: web pages only, each once, as plain text. */
export function cleanResults(found: readonly SearchResult[], maxResults: number): SearchResult[] {
  const results = new Map<string, SearchResult>();
  for (const { title, url, snippet } of found) {
    const address = URL.parse(url);
    if (results.size >= maxResults) break;
    if (address === null || !/^https?:$/u.test(address.protocol)) continue;
    if (address.username !== "" || address.password !== "" || results.has(address.href)) continue;
    results.set(address.href, {
      title: toWords(title, maxTitleLength) || address.hostname,
      url: address.href,
      snippet: toWords(snippet, maxSnippetLength),
    });
  }
  return [...results.values()];
}

function toWords(text: string, maxLength: number): string {
  // Some providers send whole pages.
  const plain = text
    .slice(0, maxLength * 10)
    .replaceAll(tags, "")
    .replaceAll(entities, (entity, name: string) => decodeEntity(name) ?? entity);
  return clipText(cleanWebLine(plain), maxLength);
}

// The tags that search engines put around matches; other angle brackets belong to the text.
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
