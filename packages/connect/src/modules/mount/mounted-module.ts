import type { Isolation, ModuleTool, Tool } from "@haft/contract";

/** A tool that a module hung on its coordinator, as it did. */
export interface OfferedTool {
  /** What the module gave; nothing is known of it yet. */
  readonly tool: Tool | ModuleTool;
  /** The name that it was mounted under. */
  readonly name?: string | undefined;
  /** Why it can't be used, where that is known already. */
  readonly fault?: string | undefined;
  /** What confines its work, where that is not done in this process. */
  readonly isolation?: (() => Isolation | undefined) | undefined;
}

/** A module that was mounted. */
export interface MountedModule {
  readonly offered: readonly OfferedTool[];
  /** Takes back what it hung and lets it clean up. */
  close(): Promise<void>;
}
