import { askProvider, firstText } from "./ask-provider.ts";
import type { KeyedProviderOptions, SearchProvider } from "./search-provider.ts";

/** Creates the Tavily provider. `variable` names the key in errors. */
export function createTavilyProvider(
  { key, endpoint = "https://api.tavily.com/search" }: KeyedProviderOptions,
  variable: string,
): SearchProvider {
  return {
    name: "Tavily",
    hosts: [new URL(endpoint).hostname],
    search: async (query, maxResults, net) => {
      const found = await askProvider(
        {
          provider: "Tavily",
          url: endpoint,
          headers: { authorization: `Bearer ${key}` },
          body: { query, max_results: Math.min(maxResults, 20), search_depth: "basic" },
          remedy: `Check ${variable}.`,
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
