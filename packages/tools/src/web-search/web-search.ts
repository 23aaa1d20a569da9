import type { Tool } from "@haft/contract";
import {
  createWebSearch,
  type WebSearchArguments,
  type WebSearchData,
} from "./create-web-search.ts";

/**
 * The `web_search` tool without a provider: its calls fail and say how to configure one.
 * `createWebSearch` creates one that searches.
 *
 * @example
 * ```ts
 * import { webSearch } from "@haft/tools";
 *
 * console.log(webSearch.description);
 * ```
 */
export const webSearch: Tool<WebSearchArguments, WebSearchData> = createWebSearch({
  providers: [],
});
