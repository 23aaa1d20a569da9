import { askProvider, firstText } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";

/** Searches with Brave. */
export function createBraveProvider({
  key,
  endpoint = "https://api.search.brave.com/res/v1/web/search",
}: {
  readonly key: string;
  readonly endpoint?: string;
}): SearchProvider {
  return {
    name: "Brave Search",
    hosts: [new URL(endpoint).hostname],
    search: async (query, most, net) => {
      const url = new URL(endpoint);
      url.searchParams.set("q", query);
      url.searchParams.set("count", String(Math.min(most, 20)));
      // Else matches come in HTML tags.
      url.searchParams.set("text_decorations", "false");
      const found = await askProvider(
        {
          provider: "Brave Search",
          url: url.href,
          headers: { "x-subscription-token": key },
          remedy: "Check BRAVE_API_KEY.",
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
