import { askProvider, firstText } from "./ask-provider.ts";
import type { KeyedProviderOptions, SearchProvider } from "./search-provider.ts";

/** Creates the Brave provider. `variable` names the key in errors. */
export function createBraveProvider(
  { key, endpoint = "https://api.search.brave.com/res/v1/web/search" }: KeyedProviderOptions,
  variable: string,
): SearchProvider {
  return {
    name: "Brave Search",
    hosts: [new URL(endpoint).hostname],
    search: async (query, maxResults, net) => {
      const url = new URL(endpoint);
      url.searchParams.set("q", query);
      url.searchParams.set("count", String(Math.min(maxResults, 20)));
      // By default, matches are wrapped in HTML tags.
      url.searchParams.set("text_decorations", "false");
      const found = await askProvider(
        {
          provider: "Brave Search",
          url: url.href,
          headers: { "x-subscription-token": key },
          remedy: `Check ${variable}.`,
        },
        ["web", "results"],
        net,
      );
      return found.map(({ title, url, description, extra_snippets: extra }) => ({
        title: firstText(title),
        url: firstText(url),
        snippet: firstText(description, ...(Array.isArray(extra) ? extra : [])),
      }));
    },
  };
}
