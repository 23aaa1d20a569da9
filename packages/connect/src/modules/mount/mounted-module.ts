import type { Isolation, ModuleTool, Tool } from "@haft/contract";

/** A tool as a module mounted it. */
export interface OfferedTool {
  /** The module's tool, not yet checked. */
  readonly tool: Tool | ModuleTool;
  /** The name that it was mounted under. */
  readonly name?: string | undefined;
  /** Why it can't be used, if that is already known. */
  readonly fault?: string | undefined;
  /** The isolation of its process, if it does not run in this one. */
  readonly isolation?: (() => Isolation | undefined) | undefined;
}

/** A mounted module. */
export interface MountedModule {
  readonly offered: readonly OfferedTool[];
  /** Unmounts the module and runs its cleanup. */
  close(): Promise<void>;
}
