import {
  compileRequirements,
  type Grant,
  intersectGrants,
  type RequirementSet,
  type Tool,
  ToolError,
  type Variables,
} from "@haft/contract";
import { messageOf } from "../message-of.ts";

/** What bounds a session's capabilities. */
export interface GrantBounds {
  /** The agent's own declaration, beside its tools'. */
  readonly manifest: RequirementSet | undefined;
  /** The most the host gives; absent means no bound beyond what is declared. */
  readonly ceiling: RequirementSet | undefined;
  /** What the parent session may pass on. */
  readonly parent: Grant | undefined;
  readonly variables: Variables;
}

/**
 * The effective grant of an agent: all that its manifest and its tools declare, inside the host's
 * ceiling and the parent's grant. Adding a tool extends what is asked for, never the bounds.
 */
export function compileEffectiveGrant(tools: Iterable<Tool>, bounds: GrantBounds): Grant {
  const own = bounds.manifest === undefined ? [] : [bounds.manifest];
  const declared = compileDeclared(own, Array.from(tools), bounds.variables);
  const limits: Grant[] = [];
  if (bounds.ceiling !== undefined) {
    limits.push(compileRequirements(bounds.ceiling, bounds.variables));
  }
  if (bounds.parent !== undefined) limits.push(bounds.parent);
  return limits.length === 0 ? declared : intersectGrants([declared, ...limits]);
}

/** Refuses a tool whose requirements do not compile. */
export function requireCompilable({ id, requires }: Tool, variables: Variables): void {
  try {
    compileRequirements(requires, variables);
  } catch (error) {
    throw new ToolError(
      "internal",
      `The tool ${id} can't be used: what it requires does not compile. ${messageOf(error)} Its author has to repair it.`,
      { cause: error },
    );
  }
}

/**
 * What one tool gets of the agent's grant: only the kinds of access that the tool itself declares,
 * so that a tool which needs no files can't touch any.
 */
export function narrowGrant(grant: Grant, requires: RequirementSet): Grant {
  const no = (): boolean => false;
  return {
    mayRead: requires.fs?.read === undefined ? no : grant.mayRead,
    mayWrite: requires.fs?.write === undefined ? no : grant.mayWrite,
    mayReach: requires.net?.hosts === undefined ? no : grant.mayReach,
    mayRun: requires.shell === undefined ? no : grant.mayRun,
    has: (capability) =>
      requires.capabilities?.includes(capability) === true && grant.has(capability),
  };
}

function compileDeclared(
  own: readonly RequirementSet[],
  tools: readonly Tool[],
  variables: Variables,
): Grant {
  const compile = (sound: readonly Tool[]): Grant =>
    compileRequirements(
      uniteRequirements([...own, ...sound.map(({ requires }) => requires)]),
      variables,
    );
  try {
    return compile(tools);
  } catch {
    // One tool with a faulty declaration adds nothing, and must not take the others down with it.
    return compile(tools.filter((tool) => isCompilable(tool, variables)));
  }
}

function isCompilable(tool: Tool, variables: Variables): boolean {
  try {
    compileRequirements(tool.requires, variables);
    return true;
  } catch {
    return false;
  }
}

function uniteRequirements(sets: readonly RequirementSet[]): RequirementSet {
  // Most tools declare the same few patterns; each is compiled and tried once.
  const read = new Set(sets.flatMap((set) => set.fs?.read ?? []));
  const write = new Set(sets.flatMap((set) => set.fs?.write ?? []));
  const hosts = new Set(sets.flatMap((set) => set.net?.hosts ?? []));
  const capabilities = new Set(sets.flatMap((set) => set.capabilities ?? []));
  return {
    fs: { read: [...read], write: [...write] },
    net: { hosts: [...hosts] },
    shell: sets.flatMap((set) => set.shell ?? []),
    capabilities: [...capabilities],
  };
}
