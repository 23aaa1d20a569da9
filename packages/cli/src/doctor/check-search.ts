import type { Io } from "../io.ts";
import { findProviders } from "../options/choose-tools.ts";
import type { Finding } from "./finding.ts";

/** Looks who searches the web for us. */
export function checkSearch({ environment }: Io): Finding {
  const name = "web search";
  const remedy =
    "set BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY or SEARXNG_URL; HAFT_SEARCH_PROVIDER chooses";
  try {
    const providers = findProviders(environment);
    if (providers.length > 0) {
      const detail = providers.map((provider) => provider.name).join(", ");
      return { name, found: true, required: false, detail };
    }
    return { name, found: false, required: false, detail: "no provider is set up", remedy };
  } catch (error) {
    return { name, found: false, required: false, detail: (error as Error).message, remedy };
  }
}
