import type { Tool } from "@haft/contract";

/** The tools that an agent may use in a mode. Without a mode, all of them. */
export interface Mode {
  /** Native tools by any of their names. Default: all. */
  readonly includeTools?: readonly string[];
  /** IDs of excluded tools. */
  readonly excludeTools?: readonly string[];
  /** Default: false. */
  readonly allowMcp?: boolean;
  /** Default: false. */
  readonly allowToolbox?: boolean;
  /** The type of the subagent, for toolbox tools that are limited to some types. */
  readonly subagentType?: string;
}

/** Tells whether a mode allows a tool. `included` are the IDs that `includeTools` resolves to. */
export function modeAllows(
  mode: Mode,
  tool: Tool,
  included: ReadonlySet<string> | undefined,
): boolean {
  if (mode.excludeTools?.includes(tool.id)) return false;
  switch (tool.source) {
    case "mcp":
      return mode.allowMcp ?? false;
    case "toolbox":
      return (mode.allowToolbox ?? false) && serves(tool, mode.subagentType);
    default:
      return included === undefined || included.has(tool.id);
  }
}

function serves(tool: Tool, subagentType: string | undefined): boolean {
  if (subagentType === undefined || tool.subagentTypes === undefined) return true;
  return tool.subagentTypes.includes("all") || tool.subagentTypes.includes(subagentType);
}
