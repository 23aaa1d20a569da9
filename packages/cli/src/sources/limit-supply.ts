import type { ToolSupply } from "@haft/connect";
import type { Tool } from "@haft/contract";
import type { ToolLimit } from "./limit-tools.ts";

/** The part of a supply that a limit leaves. */
export function limitSupply(supply: ToolSupply, limit: ToolLimit): ToolSupply {
  // A tool stays the same object for as long as the supply has it: a turn knows its tools by that.
  const limited = new WeakMap<Tool, { readonly tool: Tool | undefined }>();
  const keep = (tool: Tool): Tool[] => {
    const kept = limited.get(tool) ?? { tool: limit(tool) };
    limited.set(tool, kept);
    return kept.tool === undefined ? [] : [kept.tool];
  };
  return { ...supply, tools: () => supply.tools().flatMap(keep) };
}
