import type { BigIntStats } from "node:fs";
import type { Pin } from "./pin.ts";

/** One name in a directory that is held fast, so that a change can reach nothing else. */
export interface Place {
  readonly directory: Pin;
  readonly name: string;
  /** Its absolute path, links resolved. */
  readonly landing: string;
  /** What was there when it was opened, a link being just a link. */
  readonly found: BigIntStats | undefined;
  /** Directories that were made on the way, the outermost first. */
  readonly made: readonly string[];
}
