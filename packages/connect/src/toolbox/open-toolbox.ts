import type { OpenToolSource, Warn } from "../tool-source.ts";
import { readToolbox, type ToolboxOptions } from "./read-toolbox.ts";
import { toToolboxTool } from "./to-toolbox-tool.ts";
import type { ScriptFault } from "./toolbox-script.ts";

/** Options of `openToolbox`. */
export interface OpenToolboxOptions extends ToolboxOptions {
  readonly warn: Warn;
  /** Leave out untrusted scripts without a warning. Default: false. */
  readonly hidesUntrusted?: boolean;
}

/**
 * Opens the scripts in toolbox directories as tools. Warns about scripts that can't be used.
 *
 * @example
 * ```ts
 * import { createDiskComputer } from "@haft/computer";
 * import { openToolbox } from "@haft/connect/toolbox";
 *
 * const computer = createDiskComputer({ workspace: process.cwd() });
 * const options = { directories: [".haft/toolbox"], cacheDirectory: "/tmp/toolbox-cache" };
 * const toolbox = await openToolbox({ ...options, computer, warn: console.warn });
 * ```
 */
export async function openToolbox({
  warn,
  hidesUntrusted = false,
  ...options
}: OpenToolboxOptions): Promise<OpenToolSource> {
  const { scripts, faults } = await readToolbox(options);
  const shown = faults.filter(({ untrusted }) => !hidesUntrusted || untrusted === undefined);
  for (const sentence of explainFaults(shown)) warn(`toolbox: ${sentence}`);
  const tools = scripts.map((script) => toToolboxTool(script, options.computer));
  return { name: "toolbox", tools: () => tools, close: async () => {} };
}

// One sentence for all scripts with the same fault, such as a missing sandbox.
function explainFaults(faults: readonly ScriptFault[]): readonly string[] {
  const paths = new Map<string, string[]>();
  for (const { path, fault } of faults) paths.set(fault, [...(paths.get(fault) ?? []), path]);
  return [...paths].map(([fault, which]) => `${which.join(", ")}: ${end(fault)}`);
}

function end(fault: string): string {
  return /[.!?]$/u.test(fault) ? fault : `${fault}.`;
}
