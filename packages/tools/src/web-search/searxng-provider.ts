import { askProvider, firstText } from "./ask-provider.ts";
import type { SearchProvider } from "./search-provider.ts";

/** Options of a SearXNG server. */
export interface SearxngOptions {
  /** The address of the server, without a user or password. */
  readonly url: string;
}

/** Creates the provider for a SearXNG server. `variable` names its address in errors. */
export function createSearxngProvider({ url }: SearxngOptions, variable: string): SearchProvider {
  const start = readAddress(url, variable);
  return {
    name: "SearXNG",
    hosts: [start.hostname.replaceAll(/^\[|\]$/gu, "")],
    search: async (query, _maxResults, net) => {
      const url = new URL(start);
      url.pathname = `${start.pathname.replace(/\/(?:search)?$/u, "")}/search`;
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      const found = await askProvider(
        {
          provider: "SearXNG",
          url: url.href,
          remedy: "Allow JSON in its settings.yml: add json to search.formats.",
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

// The address may contain a password, so the error does not show it.
function readAddress(address: string, variable: string): URL {
  const url = URL.parse(address);
  if (url !== null && /^https?:$/u.test(url.protocol) && url.username + url.password === "") {
    return url;
  }
  throw new TypeError(
    `The SearXNG address (${variable}) must be a URL such as https://searx.example.org, without a user or password.`,
  );
}
