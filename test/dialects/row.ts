import type { OpenDialect } from "./open-dialect.ts";

/** One statement about a dialect, and what proves it. */
export interface Row {
  readonly says: string;
  readonly holds: (open: OpenDialect) => Promise<void>;
}
