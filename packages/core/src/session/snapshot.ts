import type { Tool } from "@haft/contract";
import type { Dialect } from "../dialects/dialect.ts";
import type { Registry } from "../registry/registry.ts";
import { type Mode, modeAllows } from "./mode.ts";
import type { SessionBounds } from "./session-bounds.ts";

/** The tools of a step. Changes take effect with the next step. */
export type Snapshot = ReadonlyMap<string, Tool>;

// Sessions without a mode share one snapshot until the registry changes.
const shared = new WeakMap<readonly Tool[], Snapshot>();

/** Takes the snapshot for a step. */
export function takeSnapshot(
  registry: Registry,
  dialect: Dialect,
  { mode, bounds }: SnapshotLimits,
): Snapshot {
  const tools = registry.tools();
  if (mode !== undefined || bounds !== undefined) {
    const included = findIncluded(mode, registry, dialect);
    const own = tools.filter((tool) => mode === undefined || modeAllows(mode, tool, included));
    return new Map(own.filter((tool) => isPassedOn(tool, bounds)).map((tool) => [tool.id, tool]));
  }
  let snapshot = shared.get(tools);
  if (snapshot === undefined) {
    snapshot = new Map(tools.map((tool) => [tool.id, tool]));
    shared.set(tools, snapshot);
  }
  return snapshot;
}

interface SnapshotLimits {
  readonly mode?: Mode | undefined;
  readonly bounds?: SessionBounds | undefined;
}

// Built-in tools are limited by the grant. What other tools do is not known.
function isPassedOn(tool: Tool, bounds: SessionBounds | undefined): boolean {
  return bounds === undefined || tool.source === "builtin" || bounds.allows(tool);
}

/** Returns the IDs of the tools that a mode names, or `undefined` if it names none. */
export function findIncluded(
  mode: Mode | undefined,
  registry: Registry,
  dialect: Dialect,
): ReadonlySet<string> | undefined {
  const names = mode?.includeTools;
  if (names === undefined) return undefined;
  const table = registry.names(dialect);
  return new Set(names.map((name) => table.get(name)?.[0]?.tool.id ?? name));
}
