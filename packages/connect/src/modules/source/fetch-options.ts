import type { Warn } from "../../tool-source.ts";
import type { Environment } from "../plan/expand-environment.ts";

/** Options for fetching modules. */
export interface FetchOptions {
  readonly cacheDirectory: string;
  readonly environment: Environment;
  /** Fetch modules again that may have changed. */
  readonly refresh?: boolean | undefined;
  readonly warn: Warn;
}
