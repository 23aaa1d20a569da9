import { askProvider, firstText } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";

/** Searches with Tavily. */
export function createTavilyProvider({
  key,
  endpoint = "https://api.tavily.com/search",
}: {
  readonly key: string;
  readonly endpoint?: string;
}): SearchProvider {
  return {
    name: "Tavily",
    hosts: [new URL(endpoint).hostname],
    search: async (query, most, net) => {
      const found = await askProvider(
        {
          provider: "Tavily",
          url: endpoint,
          headers: { authorization: `Bearer ${key}` },
          body: { query, max_results: Math.min(most, 20), search_depth: "basic" },
          remedy: "Check TAVILY_API_KEY.",
        },
        ["results"],
        net,
      );
      return found.map(({ title, url, content }) => ({
        title: firstText(title),
        url: firstText(url),
        snippet: firstText(content),
      }));
    },
  };
}
