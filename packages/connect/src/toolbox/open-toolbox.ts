import type { ToolSupply, Warn } from "../tool-supply.ts";
import { readToolbox, type ToolboxOptions } from "./read-toolbox.ts";
import { toToolboxTool } from "./to-toolbox-tool.ts";
import type { ScriptFault } from "./toolbox-script.ts";

/** Makes tools of the scripts in toolbox directories; of each that can't be one it warns once. */
export async function openToolbox({
  warn,
  ...options
}: ToolboxOptions & { readonly warn: Warn }): Promise<ToolSupply> {
  const { scripts, faults } = await readToolbox(options);
  for (const sentence of explainFaults(faults)) warn(`toolbox: ${sentence}`);
  const tools = scripts.map((script) => toToolboxTool(script, options.computer));
  return { name: "toolbox", tools: () => tools, close: async () => {} };
}

// One sentence for all that share a fault, such as that there is no sandbox.
function explainFaults(faults: readonly ScriptFault[]): readonly string[] {
  const paths = new Map<string, string[]>();
  for (const { path, fault } of faults) paths.set(fault, [...(paths.get(fault) ?? []), path]);
  return [...paths].map(([fault, which]) => `${which.join(", ")}: ${end(fault)}`);
}

function end(fault: string): string {
  return /[.!?]$/u.test(fault) ? fault : `${fault}.`;
}
