import type { Tool } from "@haft/contract";
import { createWebFetch, type WebFetchArguments, type WebFetchData } from "./create-web-fetch.ts";

/** Reads a page of the web. */
export const webFetch: Tool<WebFetchArguments, WebFetchData> = createWebFetch();
