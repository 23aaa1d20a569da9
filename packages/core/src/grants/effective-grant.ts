import {
  compileRequirements,
  type Grant,
  type RequirementSet,
  type Tool,
  ToolError,
  type Variables,
} from "@haft/contract";
import { intersectGrants, isInside, toErrorMessage } from "@haft/contract/internal";

/** The limits of a session's grant. */
export interface GrantBounds {
  /** The agent's own declaration, in addition to that of its tools. */
  readonly manifest: RequirementSet | undefined;
  /** Directories of the manifest that `{workspace}` also stands for. */
  readonly roots: readonly string[];
  /** The maximum that the host allows. Without it, everything declared is granted. */
  readonly ceiling: RequirementSet | undefined;
  /** The parent session's grant. */
  readonly parent: Grant | undefined;
  readonly variables: Variables;
}

/**
 * Compiles the grant of an agent: everything that its manifest and tools declare, limited by the
 * host's ceiling and the parent's grant. Adding a tool never raises these limits.
 */
export function compileEffectiveGrant(tools: Iterable<Tool>, bounds: GrantBounds): Grant {
  const own = bounds.manifest === undefined ? [] : [bounds.manifest];
  const declared = compileDeclared(own, Array.from(tools), widenVariables(bounds));
  return limitGrant(declared, bounds);
}

/** Throws for a tool whose requirements do not compile. */
export function requireCompilable({ id, requires }: Tool, bounds: GrantBounds): void {
  try {
    compileRequirements(requires, widenVariables(bounds));
  } catch (error) {
    throw new ToolError(
      "internal",
      `The tool ${id} can't be used because its requirements are invalid: ${toErrorMessage(error)} The author of the tool must fix this.`,
      { cause: error },
    );
  }
}

/**
 * Compiles the grant of one tool: what the tool declares and, for the same kinds of access, what the
 * manifest declares. It does not include what other tools declare.
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
    widenVariables(bounds),
  );
  return limitGrant(shell === undefined ? own : keepFromWriting(own, bounds), bounds);
}

// Programs only read in the manifest's roots: what they change elsewhere than in the workspace can't be
// undone.
function keepFromWriting(grant: Grant, { roots, variables }: GrantBounds): Grant {
  if (roots.length === 0) return grant;
  const { workspace = [] } = variables;
  const isClosed = (path: string): boolean =>
    roots.some((root) => isInside(root, path)) && !workspace.some((root) => isInside(root, path));
  const write = grant.places.write.filter((place) => !isClosed(place));
  return {
    ...grant,
    mayWrite: (path) => !isClosed(path) && grant.mayWrite(path),
    places: { ...grant.places, write },
  };
}

// The ceiling is the host's, so a manifest does not widen it.
function widenVariables({ roots, variables }: GrantBounds): Variables {
  if (roots.length === 0) return variables;
  return { ...variables, workspace: [...(variables.workspace ?? []), ...roots] };
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
    // A tool with an invalid declaration adds nothing and must not affect the others.
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
  // Most tools declare the same few patterns. Each is compiled and matched once.
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
