import type { BigIntStats } from "node:fs";
import type { Pin } from "./pin.ts";

/** A name in a pinned directory, so that a change can reach nothing else. */
export interface PinnedEntry {
  readonly directory: Pin;
  readonly name: string;
  /** Its absolute path, links resolved. */
  readonly landing: string;
  /** What was there when it was opened; links are not followed. */
  readonly found: BigIntStats | undefined;
  /** Directories that were created on the way, outermost first. */
  readonly made: readonly string[];
}
