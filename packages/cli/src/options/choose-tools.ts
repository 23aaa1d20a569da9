import type { Tool } from "@haft/contract";
import {
  builtinTools,
  createWebSearch,
  type SearchProvider,
  type WebSearchOptions,
} from "@haft/tools";
import { createWebFetch, searchProvidersFrom, searchVariables } from "@haft/tools/internal";
import type { Io } from "../io.ts";
import { convertInWorker } from "../pages/convert-in-worker.ts";
import { UsageError } from "../usage-error.ts";

/** Returns the built-in tools. Pages are converted in a thread; the environment selects the search provider. */
export function chooseTools({ environment }: Io): readonly Tool[] {
  const providers = findProviders(environment);
  const own: readonly Tool[] = [
    createWebFetch({ convert: convertInWorker }),
    ...(providers.length === 0
      ? []
      : [createWebSearch({ providers, ...readSearchLimits(environment) })]),
  ];
  return builtinTools.map((tool) => own.find(({ id }) => id === tool.id) ?? tool);
}

/** Returns the IDs of the built-in tools that can't work without configuration that is missing. */
export function findUnusableTools({ environment }: Io): readonly string[] {
  return findProviders(environment).length === 0 ? ["web_search"] : [];
}

/** Returns the hosts that these tools may reach even if they are private, as `HOST:PORT`. */
export function findToolHosts({ environment }: Io): readonly string[] {
  if (findProviders(environment).length === 0) return [];
  // Providers with a key are public. A search server of the user's own may be anywhere.
  return Object.values(readVariables("address", environment)).flatMap((address) => {
    const url = URL.parse(address);
    if (url === null) return [];
    return [`${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`];
  });
}

/** Returns the environment variables of these tools that hold secrets, so that they are masked. */
export function findToolSecrets({ environment }: Io): Readonly<Record<string, string>> {
  return readVariables("key", environment);
}

/** Returns the configured search providers. Throws a `UsageError` if the configuration is invalid. */
export function findProviders(environment: Io["environment"]): readonly SearchProvider[] {
  try {
    return searchProvidersFrom(environment);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readSearchLimits(
  environment: Io["environment"],
): Pick<WebSearchOptions, "callsPerSession" | "timeoutMs"> {
  const calls = readCount("HAFT_SEARCH_CALLS", environment);
  const seconds = readCount("HAFT_SEARCH_TIMEOUT", environment);
  return {
    ...(calls !== undefined && { callsPerSession: calls }),
    ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
  };
}

function readCount(variable: string, environment: Io["environment"]): number | undefined {
  const text = environment[variable]?.trim();
  if (!text) return undefined;
  if (/^[1-9]\d{0,5}$/u.test(text)) return Number(text);
  throw new UsageError(
    `${variable} is ${JSON.stringify(text)}. Set it to a whole number from 1 to 999999, or unset it.`,
  );
}

function readVariables(
  holds: "key" | "address",
  environment: Io["environment"],
): Readonly<Record<string, string>> {
  const found = searchVariables.flatMap((variable) => {
    const value = variable.holds === holds ? environment[variable.name]?.trim() : undefined;
    return value ? [[variable.name, value]] : [];
  });
  return Object.fromEntries(found);
}
