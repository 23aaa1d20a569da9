import type { Tool } from "@haft/contract";
import type { ModuleConfig } from "../plan/mount-plan.ts";

/** One of Haft's own modules: a group of built-in tools that a plan can configure. */
export interface OwnModule {
  /** The ids of its tools. */
  readonly tools: readonly string[];
  /** The keys of its config. */
  readonly keys: readonly string[];
  /** Keys of other programs, with advice on what to use instead. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Throws if the config is invalid: a misread limit must not mean no limit. */
  configure(config: ModuleConfig, context: OwnModuleContext): (tool: Tool) => Tool;
}

/** The directories that paths in a config refer to. */
export interface OwnModuleContext {
  readonly roots: readonly string[];
  readonly home: string | undefined;
}
