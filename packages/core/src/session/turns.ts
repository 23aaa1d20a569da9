import { compileRequirements, type Grant, type Tool } from "@haft/contract";
import type { Dialect } from "../dialects/dialect.ts";
import {
  compileEffectiveGrant,
  type GrantBounds,
  narrowGrant,
  requireCompilable,
} from "../grants/effective-grant.ts";
import type { SessionOptions } from "./session-options.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

/** The tools and the grant of the present turn. */
export interface Turns {
  start(): void;
  snapshot(): Snapshot;
  /** The whole agent's grant. */
  grant(): Grant;
  /** One tool's part of it. */
  grantOf(tool: Tool): Grant;
}

/**
 * Takes the first turn's snapshot at once; everything else when it is first needed. A manifest or a
 * ceiling that does not compile throws: with such a session nothing could be meant.
 */
export function createTurns(
  options: SessionOptions,
  place: { readonly dialect: Dialect; readonly sidecars: string },
): Turns {
  const { registry, computer } = options;
  for (const bound of [options.manifest?.requires, options.ceiling]) {
    if (bound !== undefined) compileRequirements(bound, computer.variables);
  }
  const take = (): Snapshot => takeSnapshot(registry, place.dialect, options.mode);
  let snapshot = take();
  let grant: Grant | undefined;
  let byTool = new WeakMap<Tool, Grant>();

  const bounds: GrantBounds = {
    manifest: options.manifest?.requires,
    ceiling: options.ceiling,
    parent: options.parentGrant,
    variables: computer.variables,
  };
  const wholeGrant = (): Grant => {
    grant ??= compileEffectiveGrant(snapshot.values(), bounds);
    return grant;
  };

  return {
    start: () => {
      snapshot = take();
      grant = undefined;
      byTool = new WeakMap();
    },
    snapshot: () => snapshot,
    grant: wholeGrant,
    grantOf: (tool) => {
      let own = byTool.get(tool);
      if (own === undefined) {
        requireCompilable(tool, computer.variables);
        own = withSidecars(narrowGrant(tool, bounds), tool, place.sidecars);
        byTool.set(tool, own);
      }
      return own;
    },
  };
}

// What was cut off a result must be readable by the tools that read, wherever it is kept.
function withSidecars(grant: Grant, tool: Tool, directory: string): Grant {
  if (tool.requires.fs?.read === undefined) return grant;
  const inside = `${directory}/`;
  const { mayRead } = grant;
  return { ...grant, mayRead: (path) => mayRead(path) || path.startsWith(inside) };
}
