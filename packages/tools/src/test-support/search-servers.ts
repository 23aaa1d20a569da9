import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { SearchProvider } from "../web-search/search-provider.ts";
import { createSearchProvider } from "../web-search/search-providers.ts";

/** The key that the servers accept. */
export const searchKey = "s3cret-key-0123456789";

/** A result before a server puts it into its own format. */
export interface PlainResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A provider's server, as its documentation describes it. */
export interface SearchServer {
  readonly name: string;
  create(origin: string): SearchProvider;
  /** Returns the status for a bad request, or `undefined`. */
  refuse(request: IncomingMessage, body: string): number | undefined;
  /** Returns the search terms and the wanted number of results. */
  read(request: IncomingMessage, body: string): { query: unknown; count: unknown };
  answer(results: readonly PlainResult[]): unknown;
}

const urlOf = ({ url = "" }: IncomingMessage): URL => new URL(url, "http://x");
const isJson = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"] === "application/json";

/** The four providers' servers. */
export const searchServers: readonly SearchServer[] = [
  {
    name: "Brave Search",
    create: (origin) =>
      createSearchProvider("brave", { key: searchKey, endpoint: `${origin}/res/v1/web/search` }),
    refuse: (request) => {
      if (request.method !== "GET" || urlOf(request).pathname !== "/res/v1/web/search") return 404;
      if (request.headers["x-subscription-token"] !== searchKey) return 401;
      const count = Number(urlOf(request).searchParams.get("count"));
      return count >= 1 && count <= 20 ? undefined : 422;
    },
    read: (request) => {
      const { searchParams } = urlOf(request);
      return { query: searchParams.get("q"), count: Number(searchParams.get("count")) };
    },
    answer: (results) => ({
      type: "search",
      query: { original: "q" },
      web: {
        type: "search",
        results: results.map(({ title, url, snippet }) => ({
          title,
          url,
          description: snippet,
          is_source_local: false,
          profile: { name: "x" },
        })),
      },
    }),
  },
  {
    name: "Tavily",
    create: (origin) =>
      createSearchProvider("tavily", { key: searchKey, endpoint: `${origin}/search` }),
    refuse: (request) => {
      if (request.method !== "POST" || request.url !== "/search" || !isJson(request)) return 404;
      return request.headers.authorization === `Bearer ${searchKey}` ? undefined : 401;
    },
    read: (_, body) => {
      const { query, max_results: count } = JSON.parse(body);
      return { query, count };
    },
    answer: (results) => ({
      query: "q",
      answer: null,
      images: [],
      results: results.map(({ title, url, snippet }) => ({
        title,
        url,
        content: snippet,
        score: 0.9,
        raw_content: null,
      })),
      response_time: "1.1",
    }),
  },
  {
    name: "Exa",
    create: (origin) =>
      createSearchProvider("exa", { key: searchKey, endpoint: `${origin}/search` }),
    refuse: (request) => {
      if (request.method !== "POST" || request.url !== "/search" || !isJson(request)) return 404;
      return request.headers["x-api-key"] === searchKey ? undefined : 401;
    },
    read: (_, body) => {
      const { query, numResults: count } = JSON.parse(body);
      return { query, count };
    },
    answer: (results) => ({
      requestId: "r",
      resolvedSearchType: "neural",
      results: results.map(({ title, url, snippet }) => ({
        id: url,
        title,
        url,
        publishedDate: "2024-01-01T00:00:00.000Z",
        author: null,
        highlights: [snippet],
        highlightScores: [0.5],
      })),
      costDollars: { total: 0.005 },
    }),
  },
  {
    name: "SearXNG",
    create: (origin) => createSearchProvider("searxng", { url: `${origin}/searx/` }),
    refuse: (request) => {
      if (request.method !== "GET" || urlOf(request).pathname !== "/searx/search") return 404;
      return urlOf(request).searchParams.get("format") === "json" ? undefined : 403;
    },
    // It returns a page of results, however many are wanted.
    read: (request) => ({ query: urlOf(request).searchParams.get("q"), count: 3 }),
    answer: (results) => ({
      query: "q",
      number_of_results: 0,
      results: results.map(({ title, url, snippet }) => ({
        title,
        url,
        content: snippet,
        engine: "x",
        parsed_url: ["https", "x", "/", "", "", ""],
        score: 1,
      })),
      answers: [],
      suggestions: [],
      unresponsive_engines: [],
    }),
  },
];

/** Reads the body of a request. */
export function readRequestBody(request: IncomingMessage): Promise<string> {
  return text(request);
}
