import type { Cleanup, Tool } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Registry } from "@haft/core";

/** An open source of tools: MCP servers, a directory of scripts, a mount plan, published tools. */
export interface OpenToolSource {
  /** The name used in warnings, such as `toolbox`. */
  readonly name: string;
  /** The current tools, in a fixed order. */
  tools(): readonly Tool[];
  /** Calls the listener whenever `tools()` has changed. */
  onChange?(listener: () => void): Cleanup;
  /** Releases processes, connections and files. */
  close(): Promise<void>;
}

/** Receives one message for each tool, server or module that can't be used. */
export type Warn = (message: string) => void;

/**
 * Adds the tools of a source to a registry and keeps them up to date until the returned cleanup is
 * called. A tool whose name is already taken is left out with a warning.
 *
 * @example
 * ```ts
 * import { addToolSource } from "@haft/connect";
 * import { openToolbox } from "@haft/connect/toolbox";
 * import { createRegistry } from "@haft/core";
 *
 * declare const options: Parameters<typeof openToolbox>[0];
 * const registry = createRegistry([]);
 * addToolSource(registry, await openToolbox(options), console.warn);
 * ```
 */
export function addToolSource(registry: Registry, source: OpenToolSource, warn: Warn): Cleanup {
  const added = new Map<Tool, Cleanup>();
  const refused = new Set<Tool>();
  const update = (): void => {
    const tools = new Set(source.tools());
    for (const [tool, remove] of added) {
      if (tools.has(tool)) continue;
      void remove();
      added.delete(tool);
    }
    for (const tool of tools) {
      if (added.has(tool) || refused.has(tool)) continue;
      try {
        added.set(tool, registry.add(tool));
      } catch (error) {
        refused.add(tool);
        warn(`${source.name}: ${tool.id} is left out. ${toErrorMessage(error)}`);
      }
    }
  };
  update();
  const stop = source.onChange?.(update);
  return () => {
    void stop?.();
    for (const remove of added.values()) void remove();
    added.clear();
  };
}
