import type { Net } from "@haft/contract";

/** A page that a search found. */
export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** A service that searches the web. */
export interface SearchProvider {
  /** Its name for people, such as "Brave Search". */
  readonly name: string;
  /** The hosts that it needs. */
  readonly hosts: readonly string[];
  /**
   * Searches and returns what the service found, uncleaned. Throws a `ToolError` that names the
   * provider and what to do, and never contains its key.
   */
  search(query: string, maxResults: number, net: Net): Promise<readonly SearchResult[]>;
}

/** Options of a provider that needs an API key. */
export interface KeyedProviderOptions {
  readonly key: string;
  /** The address of its API. Default: the provider's public one. */
  readonly endpoint?: string;
}
