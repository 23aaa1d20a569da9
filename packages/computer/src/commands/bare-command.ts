import type { ReadWord } from "@haft/core";
import type { Directory } from "./directory.ts";

/** A command as it would be started, including wrappers. */
export interface BareCommand {
  readonly words: readonly ReadWord[];
  readonly directory: Directory;
  /** Doubts about it so far. */
  readonly doubts: readonly string[];
  /** Input that the command line itself provides. */
  readonly input: readonly string[];
}
