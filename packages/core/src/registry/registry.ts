import type { Cleanup, Tool } from "@haft/contract";
import { findDefinitionFault } from "@haft/contract/internal";
import type { Dialect } from "../dialects/dialect.ts";
import { buildNameTable, type NameTable } from "./name-table.ts";

/** A collection of tools. Sessions use snapshots of it. */
export interface Registry {
  /** Adds a tool and returns a function that removes it. Throws if a name is already taken. */
  add(tool: Tool): Cleanup;
  get(id: string): Tool | undefined;
  /** Returns the tools in the order in which they were added. */
  tools(): readonly Tool[];
  /** Calls a listener whenever a tool is added or removed. */
  onChange(listener: () => void): Cleanup;
  /** Returns every name that a dialect understands. */
  names(dialect: Dialect): NameTable;
}

/**
 * Creates a registry with some tools.
 *
 * @example
 * ```ts
 * import { createRegistry } from "@haft/core";
 * import { builtinTools } from "@haft/tools";
 *
 * const registry = createRegistry(builtinTools);
 * registry.get("read"); // the tool
 * ```
 */
export function createRegistry(tools: Iterable<Tool> = []): Registry {
  const byId = new Map<string, Tool>();
  const aliasOwners = new Map<string, Tool>();
  const listeners = new Set<() => void>();
  let list: readonly Tool[] | undefined;
  let tables = new WeakMap<Dialect, NameTable>();
  const changed = (): void => {
    list = undefined;
    tables = new WeakMap();
    for (const listener of listeners) listener();
  };

  const registry: Registry = {
    add: (tool) => {
      refuseClash(tool, byId, aliasOwners);
      byId.set(tool.id, tool);
      for (const alias of tool.aliases ?? []) aliasOwners.set(alias.name, tool);
      changed();
      return () => {
        if (byId.get(tool.id) !== tool) return;
        byId.delete(tool.id);
        for (const alias of tool.aliases ?? []) aliasOwners.delete(alias.name);
        changed();
      };
    },
    get: (id) => byId.get(id),
    tools: () => {
      list ??= [...byId.values()];
      return list;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    names: (dialect) => {
      let table = tables.get(dialect);
      if (table === undefined) {
        table = buildNameTable(byId, dialect);
        tables.set(dialect, table);
      }
      return table;
    },
  };
  for (const tool of tools) registry.add(tool);
  return registry;
}

function refuseClash(
  tool: Tool,
  byId: ReadonlyMap<string, Tool>,
  aliasOwners: ReadonlyMap<string, Tool>,
): void {
  const fault = findDefinitionFault(tool);
  if (fault !== undefined) throw new Error(fault);
  const twin = byId.get(tool.id);
  if (twin !== undefined) {
    throw new Error(
      `Two tools have the id ${tool.id}: one from ${twin.source}, one from ${tool.source}. Rename or remove one.`,
    );
  }
  const owner = aliasOwners.get(tool.id);
  if (owner !== undefined) {
    throw new Error(
      `The tool ${tool.id} has the same name as an alias of ${owner.id}. Rename one.`,
    );
  }
  const own = new Set<string>([tool.id]);
  for (const { name } of tool.aliases ?? []) {
    if (own.has(name)) throw new Error(`The tool ${tool.id} has the name ${name} twice.`);
    own.add(name);
    const shadowed = byId.get(name) ?? aliasOwners.get(name);
    if (shadowed !== undefined) {
      throw new Error(
        `Alias ${name} of ${tool.id} shadows ${shadowed.id === name ? "the tool" : "an alias of"} ${shadowed.id}. Rename the alias.`,
      );
    }
  }
}
