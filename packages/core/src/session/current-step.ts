import { compileRequirements, type Grant, type Tool } from "@haft/contract";
import type { Computer } from "../computer.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { collectToolNames, type ToolNames } from "../dialects/tool-names.ts";
import {
  compileEffectiveGrant,
  type GrantBounds,
  narrowGrant,
  requireCompilable,
} from "../grants/effective-grant.ts";
import type { SessionOptions } from "./session-options.ts";
import type { SessionRole } from "./session-role.ts";
import { type ShownTool, showTools } from "./shown-tools.ts";
import { findIncluded, type Snapshot, takeSnapshot } from "./snapshot.ts";

/** The tools and the grant of the current step. */
export interface CurrentStep {
  /** Starts a step, optionally with another role. */
  start(role?: SessionRole): void;
  snapshot(): Snapshot;
  /** Returns the names of the native tools, for texts. */
  toolNames(): ToolNames;
  /** Returns tools as the model sees them. */
  show(tools: Iterable<Tool>): ShownTool[];
  /** Returns the agent's grant. */
  grant(): Grant;
  /** Returns the grant of one tool. */
  grantOf(tool: Tool): Grant;
}

/**
 * Creates the first step. Its snapshot is taken at once, everything else on demand. Throws if the
 * manifest or the ceiling does not compile.
 */
export function createCurrentStep(
  options: SessionOptions,
  place: { readonly dialect: Dialect; readonly sidecars: string },
): CurrentStep {
  const { registry, computer, parent } = options;
  const { variables } = computer;
  if (options.ceiling !== undefined) compileRequirements(options.ceiling, variables);
  requireRole(options, computer);
  let role: SessionRole = options;
  const { dialect } = place;
  const findNamed = (): ReadonlySet<string> | undefined =>
    findIncluded(role.mode, registry, dialect);
  let included = findNamed();
  const take = (): Snapshot => takeSnapshot(registry, dialect, { mode: role.mode, bounds: parent });
  const findBounds = (): GrantBounds => ({
    manifest: role.manifest?.requires,
    roots: findRoots(role, computer),
    ceiling: options.ceiling,
    parent: parent?.grant,
    variables,
  });
  let snapshot = take();
  let bounds = findBounds();
  let grant: Grant | undefined;
  let byTool = new WeakMap<Tool, Grant>();
  let names: ToolNames | undefined;

  const wholeGrant = (): Grant => {
    grant ??= compileEffectiveGrant(snapshot.values(), bounds);
    return grant;
  };

  const toolNames = (): ToolNames => {
    names ??= collectToolNames(snapshot.values(), dialect, included);
    return names;
  };

  return {
    start: (next = role) => {
      const isSameMode = role.mode === next.mode;
      role = next;
      included = findNamed();
      const taken = take();
      const found = findBounds();
      // A step without changes reuses what the previous one compiled.
      const isSame = haveSame(snapshot, taken);
      if (!isSame) snapshot = taken;
      if (!isSame || !isSameMode) names = undefined;
      if (isSame && areSame(found, bounds)) return;
      bounds = found;
      grant = undefined;
      byTool = new WeakMap();
    },
    snapshot: () => snapshot,
    toolNames,
    show: (tools) => showTools(tools, { dialect, included, names: toolNames() }),
    grant: wholeGrant,
    grantOf: (tool) => {
      let own = byTool.get(tool);
      if (own === undefined) {
        requireCompilable(tool, bounds);
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

function areSame(some: GrantBounds, others: GrantBounds): boolean {
  return (
    some.manifest === others.manifest &&
    some.parent === others.parent &&
    some.roots.join("\n") === others.roots.join("\n")
  );
}

function findRoots({ manifest }: SessionRole, computer: Computer): readonly string[] {
  return (manifest?.roots ?? []).map((root) => computer.identify(root));
}

/** Throws for a role whose requirements do not compile. */
export function requireRole({ manifest }: SessionRole, { variables }: Computer): void {
  if (manifest?.requires !== undefined) compileRequirements(manifest.requires, variables);
}

// Tools that read files must be able to read sidecars, wherever they are stored.
function withSidecars(grant: Grant, tool: Tool, directory: string): Grant {
  if (tool.requires.fs?.read === undefined) return grant;
  const inside = `${directory}/`;
  const { mayRead } = grant;
  return { ...grant, mayRead: (path) => mayRead(path) || path.startsWith(inside) };
}
