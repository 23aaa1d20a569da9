import { compileRequirements, type Grant, type Tool, type Variables } from "@haft/contract";
import type { Dialect } from "../dialects/dialect.ts";
import {
  compileEffectiveGrant,
  type GrantBounds,
  narrowGrant,
  requireCompilable,
} from "../grants/effective-grant.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionRole } from "./session-role.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

/** The tools and the grant of the present turn. */
export interface Turns {
  /** Begins a turn, of another role if one is given. */
  start(role?: SessionRole): void;
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
  const { registry, computer, parent } = options;
  const { variables } = computer;
  if (options.ceiling !== undefined) compileRequirements(options.ceiling, variables);
  requireRole(options, variables);
  let role: SessionRole = options;
  const take = (): Snapshot =>
    takeSnapshot(registry, place.dialect, { mode: role.mode, bounds: parent });
  const findBounds = (): GrantBounds => ({
    manifest: role.manifest?.requires,
    ceiling: options.ceiling,
    parent: parent?.grant,
    variables,
  });
  let snapshot = take();
  let bounds = findBounds();
  let grant: Grant | undefined;
  let byTool = new WeakMap<Tool, Grant>();

  const wholeGrant = (): Grant => {
    grant ??= compileEffectiveGrant(snapshot.values(), bounds);
    return grant;
  };

  return {
    start: (next = role) => {
      role = next;
      const taken = take();
      const found = findBounds();
      // A turn that brings nothing new goes on with what the one before has compiled.
      const isSame = haveSame(snapshot, taken);
      if (!isSame) snapshot = taken;
      if (isSame && found.manifest === bounds.manifest && found.parent === bounds.parent) return;
      bounds = found;
      grant = undefined;
      byTool = new WeakMap();
    },
    snapshot: () => snapshot,
    grant: wholeGrant,
    grantOf: (tool) => {
      let own = byTool.get(tool);
      if (own === undefined) {
        requireCompilable(tool, variables);
        own = withSidecars(narrowGrant(tool, bounds), tool, place.sidecars);
        byTool.set(tool, own);
      }
      return own;
    },
  };
}

function haveSame(before: Snapshot, after: Snapshot): boolean {
  if (before === after) return true;
  if (before.size !== after.size) return false;
  const tools = after.values();
  for (const tool of before.values()) if (tool !== tools.next().value) return false;
  return true;
}

/** Refuses a role whose declaration does not compile. */
export function requireRole({ manifest }: SessionRole, variables: Variables): void {
  if (manifest?.requires !== undefined) compileRequirements(manifest.requires, variables);
}

// What was cut off a result must be readable by the tools that read, wherever it is kept.
function withSidecars(grant: Grant, tool: Tool, directory: string): Grant {
  if (tool.requires.fs?.read === undefined) return grant;
  const inside = `${directory}/`;
  const { mayRead } = grant;
  return { ...grant, mayRead: (path) => mayRead(path) || path.startsWith(inside) };
}
