import type { Tool } from "@haft/contract";
import type { Dialect } from "../dialects/dialect.ts";
import type { Registry } from "../registry/registry.ts";
import { type Mode, modeAllows } from "./mode.ts";

/** The tools of one turn. What changes meanwhile takes effect with the next. */
export type Snapshot = ReadonlyMap<string, Tool>;

// Sessions without a mode share one snapshot until the registry changes.
const shared = new WeakMap<readonly Tool[], Snapshot>();

/** Takes the snapshot that a turn starts with. */
export function takeSnapshot(
  registry: Registry,
  dialect: Dialect,
  mode: Mode | undefined,
): Snapshot {
  const tools = registry.tools();
  if (mode !== undefined) {
    const included = mode.includeTools && resolveNames(mode.includeTools, registry, dialect);
    return new Map(
      tools.filter((tool) => modeAllows(mode, tool, included)).map((tool) => [tool.id, tool]),
    );
  }
  let snapshot = shared.get(tools);
  if (snapshot === undefined) {
    snapshot = new Map(tools.map((tool) => [tool.id, tool]));
    shared.set(tools, snapshot);
  }
  return snapshot;
}

function resolveNames(
  names: readonly string[],
  registry: Registry,
  dialect: Dialect,
): ReadonlySet<string> {
  const table = registry.names(dialect);
  return new Set(names.map((name) => table.get(name)?.[0]?.tool.id ?? name));
}
