import type { Warn } from "../../tool-supply.ts";
import type { Environment } from "../plan/expand-environment.ts";

/** Where modules that come from elsewhere are kept, and what fetching them may use. */
export interface FetchPlace {
  readonly cacheDirectory: string;
  readonly environment: Environment;
  /** Fetch anew what may have changed. */
  readonly refresh?: boolean | undefined;
  readonly warn: Warn;
}
