import type { Tool } from "@haft/contract";
import type { ModuleConfig } from "../plan/mount-plan.ts";

/** One of Haft's own modules: built-in tools that a plan can configure. */
export interface OwnModule {
  /** The tools that belong to it. */
  readonly tools: readonly string[];
  /** What its config may say. */
  readonly keys: readonly string[];
  /** Keys that other programs know, and what to do here instead. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Throws where the config can't be read: a limit that is not understood must not be none. */
  configure(config: ModuleConfig, place: OwnPlace): (tool: Tool) => Tool;
}

/** Where the tools will work. */
export interface OwnPlace {
  readonly roots: readonly string[];
  readonly home: string | undefined;
}
