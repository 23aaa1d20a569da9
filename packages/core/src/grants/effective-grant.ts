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
  return limitGrant(declared, bounds);
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
 * What one tool gets of the agent's grant: what the tool itself declares and, of the same kinds,
 * what the manifest does. What another tool declares is that tool's alone.
 */
export function narrowGrant(tool: Pick<Tool, "requires">, bounds: GrantBounds): Grant {
  const { fs, net, shell, capabilities } = tool.requires;
  const manifest = bounds.manifest ?? {};
  const own = compileRequirements(
    uniteRequirements([
      tool.requires,
      {
        fs: {
          read: fs?.read === undefined ? [] : (manifest.fs?.read ?? []),
          write: fs?.write === undefined ? [] : (manifest.fs?.write ?? []),
        },
        net: { hosts: net?.hosts === undefined ? [] : (manifest.net?.hosts ?? []) },
        shell: shell === undefined ? [] : (manifest.shell ?? []),
        capabilities: capabilities ?? [],
      },
    ]),
    bounds.variables,
  );
  return limitGrant(own, bounds);
}

function limitGrant(grant: Grant, { ceiling, parent, variables }: GrantBounds): Grant {
  const limits: Grant[] = [];
  if (ceiling !== undefined) limits.push(compileRequirements(ceiling, variables));
  if (parent !== undefined) limits.push(parent);
  return limits.length === 0 ? grant : intersectGrants([grant, ...limits]);
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
