import type { Net } from "@haft/contract";

/** One thing that was found. */
export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** Somebody who searches the web for us. */
export interface SearchProvider {
  /** As people know it. */
  readonly name: string;
  /** The hosts that it needs. */
  readonly hosts: readonly string[];
  /**
   * Searches, and gives what it found as it came. Throws a `ToolError` that names the provider and
   * what to do, and never its key.
   */
  search(query: string, most: number, net: Net): Promise<readonly SearchResult[]>;
}
