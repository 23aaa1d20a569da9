import type { DiskComputer } from "@haft/computer";
import { askOnce } from "./ask-script.ts";
import type { ToolDescription } from "./description/tool-description.ts";
import { listScripts } from "./list-scripts.ts";
import { type DescribedScript, toToolboxId } from "./to-toolbox-tool.ts";
import type { ScriptFault, ToolboxScript } from "./toolbox-script.ts";

/** Where scripts are looked for, and who runs them. */
export interface ToolboxOptions {
  readonly directories: readonly string[];
  readonly computer: DiskComputer;
  /** Where it is kept what scripts say of themselves. */
  readonly cacheDirectory: string;
}

/** What was found in the toolbox. */
export interface ToolboxContent {
  readonly scripts: readonly DescribedScript[];
  readonly faults: readonly ScriptFault[];
}

const mostAtOnce = 4;

/** Finds the scripts of the toolbox and asks those that are not known yet what they do. */
export async function readToolbox(options: ToolboxOptions): Promise<ToolboxContent> {
  const found = listScripts(options.directories, options.computer);
  const answers = await inTurns(found, async (script) =>
    "fault" in script ? script.fault : askOnce(script, options),
  );
  const scripts = new Map<string, DescribedScript>();
  const faults: ScriptFault[] = [];
  for (const [index, script] of found.entries()) {
    const described = answers[index] as ToolDescription | string;
    const named = nameScript(script, described);
    const twin = typeof named === "string" ? undefined : scripts.get(named.id);
    if (typeof named === "string") faults.push({ path: script.path, fault: named });
    else if (twin === undefined) scripts.set(named.id, named);
    else {
      const fault = `has the name ${named.id}, which ${twin.script.path} has already`;
      faults.push({ path: script.path, fault });
    }
  }
  return { scripts: [...scripts.values()], faults };
}

/** Gives a script the name of its tool, or says what is wrong with it. */
export function nameScript(
  script: ToolboxScript | ScriptFault,
  described: ToolDescription | string,
): DescribedScript | string {
  if ("fault" in script) return script.fault;
  if (typeof described === "string") return described;
  const id = toToolboxId(script, described.name);
  if (id === undefined) return "has no name that a tool could have; letters, digits, _ and - count";
  return { id, script, described };
}

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, worker));
  return results;
}
