import type { Cleanup, Tool } from "@haft/contract";
import type { Registry } from "@haft/core";

/** Where tools come from: a set of servers, a directory of scripts, a mount plan. */
export interface ToolSupply {
  /** What it is called in warnings, such as `toolbox`. */
  readonly name: string;
  /** What it has now, in a fixed order. */
  tools(): readonly Tool[];
  /** Tells when `tools()` has changed. */
  onChange?(listener: () => void): Cleanup;
  /** Lets go of everything: processes, connections, files. */
  close(): Promise<void>;
}

/** What is told of tools that can't be had. */
export type Warn = (message: string) => void;

/**
 * Adds a supply's tools to a registry, and keeps them up to date until the cleanup. A tool that
 * clashes with one that is there already is left out with a warning; the others come.
 */
export function stockRegistry(registry: Registry, supply: ToolSupply, warn: Warn): Cleanup {
  const stocked = new Map<Tool, Cleanup>();
  const refused = new Set<Tool>();
  const bring = (): void => {
    const tools = new Set(supply.tools());
    for (const [tool, remove] of stocked) {
      if (tools.has(tool)) continue;
      void remove();
      stocked.delete(tool);
    }
    for (const tool of tools) {
      if (stocked.has(tool) || refused.has(tool)) continue;
      try {
        stocked.set(tool, registry.add(tool));
      } catch (error) {
        refused.add(tool);
        warn(`${supply.name}: ${tool.id} is left out. ${(error as Error).message}`);
      }
    }
  };
  bring();
  const stop = supply.onChange?.(bring);
  return () => {
    void stop?.();
    for (const remove of stocked.values()) void remove();
    stocked.clear();
  };
}
