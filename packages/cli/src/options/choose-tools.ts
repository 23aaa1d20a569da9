import type { Tool } from "@haft/contract";
import {
  builtinTools,
  createWebFetch,
  createWebSearch,
  type SearchProvider,
  searchProvidersFrom,
} from "@haft/tools";
import type { Io } from "../io.ts";
import { convertInWorker } from "../pages/convert-in-worker.ts";
import { UsageError } from "../usage-error.ts";

/** The built-in tools; pages are read in a thread, searches made as the environment says. */
export function chooseTools({ environment }: Io): readonly Tool[] {
  const providers = findProviders(environment);
  const own: readonly Tool[] = [
    createWebFetch({ convert: convertInWorker }),
    ...(providers.length === 0 ? [] : [createWebSearch({ providers })]),
  ];
  return builtinTools.map((tool) => own.find(({ id }) => id === tool.id) ?? tool);
}

/** The hosts that these tools need though they may be private, as `HOST:PORT`. */
export function findToolHosts({ environment }: Io): readonly string[] {
  // The others are public. A search engine of one's own may be anywhere.
  const url = URL.parse(environment.SEARXNG_URL?.trim() ?? "");
  if (url === null || findProviders(environment).length === 0) return [];
  return [`${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`];
}

/** What of the environment these tools use and nobody is to see, by name. */
export function findToolSecrets({ environment }: Io): Readonly<Record<string, string>> {
  const found = ["BRAVE_API_KEY", "TAVILY_API_KEY", "EXA_API_KEY"].flatMap((name) => {
    const value = environment[name]?.trim();
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

/** The search providers that the environment has; a `UsageError` if they can't be used. */
export function findProviders(environment: Io["environment"]): readonly SearchProvider[] {
  try {
    return searchProvidersFrom(environment);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
