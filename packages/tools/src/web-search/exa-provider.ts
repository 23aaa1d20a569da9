import { askProvider, firstText } from "./ask-provider.ts";
import type { KeyedProviderOptions, SearchProvider } from "./search-provider.ts";

/** Creates the Exa provider. `variable` names the key in errors. */
export function createExaProvider(
  { key, endpoint = "https://api.exa.ai/search" }: KeyedProviderOptions,
  variable: string,
): SearchProvider {
  return {
    name: "Exa",
    hosts: [new URL(endpoint).hostname],
    search: async (query, maxResults, net) => {
      const found = await askProvider(
        {
          provider: "Exa",
          url: endpoint,
          headers: { "x-api-key": key },
          body: { query, numResults: maxResults, type: "auto", contents: { highlights: true } },
          remedy: `Check ${variable}.`,
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
