import { askProvider, firstText } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";

/** Searches with a SearXNG of one's own, at its address. */
export function createSearxngProvider({ url: base }: { readonly url: string }): SearchProvider {
  const start = new URL(base);
  return {
    name: "SearXNG",
    hosts: [start.hostname.replaceAll(/^\[|\]$/gu, "")],
    search: async (query, _most, net) => {
      const url = new URL(start);
      url.pathname = `${start.pathname.replace(/\/(?:search)?$/u, "")}/search`;
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      const found = await askProvider(
        {
          provider: "SearXNG",
          url: url.href,
          remedy: "Allow JSON in its settings.yml: search.formats has to name json.",
        },
        ["results"],
        net,
      );
      return found.map(({ title, url: link, content }) => ({
        title: firstText(title),
        url: firstText(link),
        snippet: firstText(content),
      }));
    },
  };
}
