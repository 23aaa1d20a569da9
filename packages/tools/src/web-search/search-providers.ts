import { createBraveProvider } from "./brave-provider.ts";
import { createExaProvider } from "./exa-provider.ts";
import type { KeyedProviderOptions, SearchProvider } from "./search-provider.ts";
import { createSearxngProvider, type SearxngOptions } from "./searxng-provider.ts";
import { createTavilyProvider } from "./tavily-provider.ts";

/** The options of each search provider, by provider name. */
export interface SearchProviderOptions {
  readonly brave: KeyedProviderOptions;
  readonly tavily: KeyedProviderOptions;
  readonly exa: KeyedProviderOptions;
  readonly searxng: SearxngOptions;
}

interface ProviderEntry<Options> {
  /** The environment variable that configures the provider. */
  readonly variable: string;
  /** Whether that variable holds a key, which must never be shown, or an address. */
  readonly holds: "key" | "address";
  /** Makes options of the variable's value. */
  toOptions(value: string): Options;
  create(options: Options, variable: string): SearchProvider;
}

const toKey = (key: string): KeyedProviderOptions => ({ key });

/**
 * Every search provider. Everything else follows from this table: which variables configure a
 * provider, which of them are masked, and what errors and `haft doctor` suggest.
 */
const table: { readonly [Name in SearchProviderName]: ProviderEntry<SearchProviderOptions[Name]> } =
  {
    brave: {
      variable: "BRAVE_API_KEY",
      holds: "key",
      toOptions: toKey,
      create: createBraveProvider,
    },
    tavily: {
      variable: "TAVILY_API_KEY",
      holds: "key",
      toOptions: toKey,
      create: createTavilyProvider,
    },
    exa: { variable: "EXA_API_KEY", holds: "key", toOptions: toKey, create: createExaProvider },
    searxng: {
      variable: "SEARXNG_URL",
      holds: "address",
      toOptions: (url) => ({ url }),
      create: createSearxngProvider,
    },
  };

/** The name of a search provider, as in `HAFT_SEARCH_PROVIDER`. */
export type SearchProviderName = keyof SearchProviderOptions;

/**
 * Creates a provider for `createWebSearch`. Throws a `TypeError` if an address is not valid.
 *
 * @example
 * ```ts
 * import { createSearchProvider, createWebSearch } from "@haft/tools";
 *
 * const brave = createSearchProvider("brave", { key: "YOUR_KEY" });
 * const searxng = createSearchProvider("searxng", { url: "https://searx.example.org" });
 * const webSearch = createWebSearch({ providers: [brave, searxng] });
 * ```
 */
export function createSearchProvider<Name extends SearchProviderName>(
  name: Name,
  options: SearchProviderOptions[Name],
): SearchProvider {
  const { create, variable } = table[name];
  return create(options, variable);
}

/** The environment variables that configure search providers, and what each holds. */
export const searchVariables: readonly {
  readonly name: string;
  readonly holds: "key" | "address";
}[] = Object.values(table).map(({ variable, holds }) => ({ name: variable, holds }));

/** Tells a person how to configure a search provider. */
export function describeSearchSetup(): string {
  const names = searchVariables.map(({ name }) => name);
  return `set ${names.slice(0, -1).join(", ")} or ${names.at(-1)}; HAFT_SEARCH_PROVIDER selects among several`;
}

/** Environment variables by name. */
export type SearchEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Creates the providers that an environment configures: those that `HAFT_SEARCH_PROVIDER` names, or
 * all. Throws a `TypeError` if it names a provider that is unknown or not configured.
 */
export function searchProvidersFrom(environment: SearchEnvironment): readonly SearchProvider[] {
  const known = Object.keys(table) as SearchProviderName[];
  const wanted = (environment.HAFT_SEARCH_PROVIDER ?? "")
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((name) => name !== "");
  if (wanted.length === 0) return known.flatMap((name) => createFrom(environment, name) ?? []);
  return wanted.map((text) => {
    const name = known.find((each) => each === text);
    if (name === undefined) {
      throw new TypeError(
        `HAFT_SEARCH_PROVIDER names ${JSON.stringify(text)}, which is none of: ${known.join(", ")}.`,
      );
    }
    const provider = createFrom(environment, name);
    if (provider !== undefined) return provider;
    throw new TypeError(
      `HAFT_SEARCH_PROVIDER names ${name}, which needs ${table[name].variable}. Set it.`,
    );
  });
}

function createFrom<Name extends SearchProviderName>(
  environment: SearchEnvironment,
  name: Name,
): SearchProvider | undefined {
  const { variable, toOptions } = table[name];
  const value = environment[variable]?.trim();
  return value ? createSearchProvider(name, toOptions(value)) : undefined;
}
