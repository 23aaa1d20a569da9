import { type Cleanup, findDefinitionFault, type Tool } from "@haft/contract";
import type { Dialect } from "../dialects/dialect.ts";
import { buildNameTable, type NameTable } from "./name-table.ts";

/** All tools there are. Sessions see a registry through snapshots, never directly. */
export interface Registry {
  /** Adds a tool and returns what takes it away again. A clash of names throws and adds nothing. */
  add(tool: Tool): Cleanup;
  get(id: string): Tool | undefined;
  /** In the order in which they were added. */
  tools(): readonly Tool[];
  /** Tells of every tool that comes or goes. */
  onChange(listener: () => void): Cleanup;
  /** Every name that a dialect understands. */
  names(dialect: Dialect): NameTable;
}

/** A registry that holds these tools to begin with. */
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
      `Two tools have the id ${tool.id}: one from ${twin.source}, one from ${tool.source}. Rename one or leave it out.`,
    );
  }
  const owner = aliasOwners.get(tool.id);
  if (owner !== undefined) {
    throw new Error(`The tool ${tool.id} has the name of an alias of ${owner.id}. Rename one.`);
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
