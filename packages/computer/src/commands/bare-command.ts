import type { ReadWord } from "@haft/core";
import type { Directory } from "./directory.ts";

/** A command as it would be started, wrappers and all. */
export interface BareCommand {
  readonly words: readonly ReadWord[];
  readonly directory: Directory;
  /** What is not certain about it already. */
  readonly doubts: readonly string[];
  /** What the line itself gives it to read. */
  readonly input: readonly string[];
}
