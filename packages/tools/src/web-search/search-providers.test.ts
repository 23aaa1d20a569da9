import { describe, expect, it } from "vitest";
import { createSearchProvider, searchProvidersFrom, searchVariables } from "./search-providers.ts";

const all = {
  BRAVE_API_KEY: "b",
  TAVILY_API_KEY: "t",
  EXA_API_KEY: "e",
  SEARXNG_URL: "https://searx.example.org/sub",
};

const names = (environment: Record<string, string | undefined>): string[] =>
  searchProvidersFrom(environment).map(({ name }) => name);

describe("createSearchProvider", () => {
  it("creates a provider by name", () => {
    const endpoint = "https://proxy.example/search";
    expect(createSearchProvider("exa", { key: "e", endpoint })).toMatchObject({
      name: "Exa",
      hosts: ["proxy.example"],
    });
    expect(createSearchProvider("searxng", { url: "http://[::1]:8080" }).hosts).toEqual(["::1"]);
  });
});

describe("searchVariables", () => {
  it("marks every variable that holds a key", () => {
    expect(searchVariables).toEqual([
      { name: "BRAVE_API_KEY", holds: "key" },
      { name: "TAVILY_API_KEY", holds: "key" },
      { name: "EXA_API_KEY", holds: "key" },
      { name: "SEARXNG_URL", holds: "address" },
    ]);
  });
});

describe("searchProvidersFrom", () => {
  it("creates the providers that have a key or an address", () => {
    expect(names({})).toEqual([]);
    expect(names({ BRAVE_API_KEY: " ", EXA_API_KEY: "e", TAVILY_API_KEY: undefined })).toEqual([
      "Exa",
    ]);
    expect(names(all)).toEqual(["Brave Search", "Tavily", "Exa", "SearXNG"]);
    expect(searchProvidersFrom(all).flatMap(({ hosts }) => hosts)).toEqual([
      "api.search.brave.com",
      "api.tavily.com",
      "api.exa.ai",
      "searx.example.org",
    ]);
  });

  it("creates the providers that are chosen", () => {
    expect(names({ ...all, HAFT_SEARCH_PROVIDER: "exa" })).toEqual(["Exa"]);
    expect(names({ ...all, HAFT_SEARCH_PROVIDER: "SearXNG, brave" })).toEqual([
      "SearXNG",
      "Brave Search",
    ]);
  });

  it("explains what is wrong with the choice", () => {
    expect(() => names({ ...all, HAFT_SEARCH_PROVIDER: "bing" })).toThrow(
      'HAFT_SEARCH_PROVIDER names "bing", which is none of: brave, tavily, exa, searxng.',
    );
    expect(() => names({ HAFT_SEARCH_PROVIDER: "tavily" })).toThrow(/needs TAVILY_API_KEY/u);
  });

  it.each(["searx", "ftp://searx.example", "https://user:hunter2@searx.example"])(
    "refuses the address %s without showing it",
    (address) => {
      const make = (): unknown => searchProvidersFrom({ SEARXNG_URL: address });
      expect(make).toThrow(TypeError);
      expect(make).not.toThrow(/hunter2/u);
    },
  );
});
