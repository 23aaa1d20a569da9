import { createBraveProvider } from "./brave-provider.ts";
import { createExaProvider } from "./exa-provider.ts";
import type { SearchProvider } from "./search-provider.ts";
import { createSearxngProvider } from "./searxng-provider.ts";
import { createTavilyProvider } from "./tavily-provider.ts";

/** Variables of an environment, by name. */
export type SearchEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The providers for which an environment has a key or an address, all of them or those that
 * `HAFT_SEARCH_PROVIDER` names. Throws a `TypeError` if that names one that can't be used.
 */
export function searchProvidersFrom(environment: SearchEnvironment): readonly SearchProvider[] {
  const wanted = (environment.HAFT_SEARCH_PROVIDER ?? "")
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((name) => name !== "");
  if (wanted.length === 0) return known.flatMap((each) => create(each, environment) ?? []);
  return wanted.map((name) => {
    const kind = known.find((each) => each.name === name);
    if (kind === undefined) {
      const names = known.map((each) => each.name).join(", ");
      throw new TypeError(
        `HAFT_SEARCH_PROVIDER names ${JSON.stringify(name)}, which is none of: ${names}.`,
      );
    }
    const provider = create(kind, environment);
    if (provider !== undefined) return provider;
    throw new TypeError(
      `HAFT_SEARCH_PROVIDER names ${name}, which needs ${kind.variable}. Set it.`,
    );
  });
}

interface ProviderKind {
  readonly name: string;
  readonly variable: string;
  create(value: string): SearchProvider;
}

const known: readonly ProviderKind[] = [
  { name: "brave", variable: "BRAVE_API_KEY", create: (key) => createBraveProvider({ key }) },
  { name: "tavily", variable: "TAVILY_API_KEY", create: (key) => createTavilyProvider({ key }) },
  { name: "exa", variable: "EXA_API_KEY", create: (key) => createExaProvider({ key }) },
  { name: "searxng", variable: "SEARXNG_URL", create: createSearxng },
];

function create(
  { variable, create: make }: ProviderKind,
  environment: SearchEnvironment,
): SearchProvider | undefined {
  const value = environment[variable]?.trim();
  return value === undefined || value === "" ? undefined : make(value);
}

function createSearxng(address: string): SearchProvider {
  const url = URL.parse(address);
  if (
    url === null ||
    !/^https?:$/u.test(url.protocol) ||
    url.username !== "" ||
    url.password !== ""
  ) {
    throw new TypeError(
      "SEARXNG_URL is no address such as https://searx.example.org, without a user or password.",
    );
  }
  return createSearxngProvider({ url: url.href });
}
