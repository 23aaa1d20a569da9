import type { Tool } from "@haft/contract";
import {
  createWebSearch,
  type WebSearchArguments,
  type WebSearchData,
} from "./create-web-search.ts";

/** Searches the web; without providers of its own it says how to set one up. */
export const webSearch: Tool<WebSearchArguments, WebSearchData> = createWebSearch({
  providers: [],
});
