import type { Tool } from "@haft/contract";

/** What kinds of tools an agent may use in its present mode. Without a mode, all of them. */
export interface Mode {
  /** Native tools by any of their names; all if absent. */
  readonly includeTools?: readonly string[];
  /** Tools that it does not have, by their ids. */
  readonly excludeTools?: readonly string[];
  /** Off unless said. */
  readonly allowMcp?: boolean;
  /** Off unless said. */
  readonly allowToolbox?: boolean;
  /** Which kind of subagent this is, for toolbox tools that serve only some. */
  readonly subagentType?: string;
}

/** Whether a mode lets a tool be used. `included` holds the ids that `includeTools` resolves to. */
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
