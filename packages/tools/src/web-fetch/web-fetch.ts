import type { Tool } from "@haft/contract";
import { createWebFetch, type WebFetchArguments, type WebFetchData } from "./create-web-fetch.ts";

/**
 * The `web_fetch` tool: reads a web page. Pages are converted in this process.
 *
 * @example
 * ```ts
 * import { webFetch } from "@haft/tools";
 *
 * const tools = [webFetch];
 * ```
 */
export const webFetch: Tool<WebFetchArguments, WebFetchData> = createWebFetch();
