import { askProvider, firstText } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";

/** Searches with Exa. */
export function createExaProvider({
  key,
  endpoint = "https://api.exa.ai/search",
}: {
  readonly key: string;
  readonly endpoint?: string;
}): SearchProvider {
  return {
    name: "Exa",
    hosts: [new URL(endpoint).hostname],
    search: async (query, most, net) => {
      const found = await askProvider(
        {
          provider: "Exa",
          url: endpoint,
          headers: { "x-api-key": key },
          body: { query, numResults: most, type: "auto", contents: { highlights: true } },
          remedy: "Check EXA_API_KEY.",
        },
        ["results"],
        net,
      );
      return found.map(({ title, url, highlights, summary, text }) => ({
        title: firstText(title, url),
        url: firstText(url),
        snippet: firstText(
          Array.isArray(highlights) ? highlights.filter(isText).join(" \u2026 ") : undefined,
          summary,
          text,
        ),
      }));
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
