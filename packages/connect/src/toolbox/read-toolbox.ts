import type { DiskComputer, ProjectItem } from "@haft/computer";
import { askOnce } from "./ask-script.ts";
import type { ToolDescription } from "./description/tool-description.ts";
import { findUntrustedScript, untrustedFault } from "./find-untrusted-script.ts";
import { listScripts } from "./list-scripts.ts";
import { type DescribedScript, toToolboxId } from "./to-toolbox-tool.ts";
import type { ScriptFault, ToolboxScript } from "./toolbox-script.ts";

/** The directories of a toolbox and the computer that runs its scripts. */
export interface ToolboxOptions {
  readonly directories: readonly string[];
  readonly computer: DiskComputer;
  /** The directory in which descriptions of scripts are cached. */
  readonly cacheDirectory: string;
}

/** The content of a toolbox. */
export interface ToolboxContent {
  readonly scripts: readonly DescribedScript[];
  readonly faults: readonly ScriptFault[];
}

const maxConcurrent = 4;

/** Lists the scripts of a toolbox and asks those without a cached description. */
export async function readToolbox(options: ToolboxOptions): Promise<ToolboxContent> {
  const found = listScripts(options.directories, options.computer).map((script) =>
    requireTrusted(script, options.computer),
  );
  const answers = await runLimited(found, async (script) =>
    "fault" in script ? script.fault : askOnce(script, options),
  );
  const scripts = new Map<string, DescribedScript>();
  const faults: ScriptFault[] = [];
  for (const [index, script] of found.entries()) {
    const described = answers[index] as ToolDescription | string;
    const named = nameScript(script, described);
    const twin = typeof named === "string" ? undefined : scripts.get(named.id);
    if ("fault" in script) faults.push(script);
    else if (typeof named === "string") faults.push({ path: script.path, fault: named });
    else if (twin === undefined) scripts.set(named.id, named);
    else {
      const fault = `has the name ${named.id}, which is already used by ${twin.script.path}`;
      faults.push({ path: script.path, fault });
    }
  }
  return { scripts: [...scripts.values()], faults };
}

/** Lists the scripts of a workspace whose current content is not trusted. */
export function listUntrustedScripts(
  options: Pick<ToolboxOptions, "directories" | "computer">,
): readonly ProjectItem[] {
  const { directories, computer } = options;
  return listScripts(directories, computer).flatMap((script) => {
    const checked = requireTrusted(script, computer);
    return "fault" in checked ? (checked.untrusted ?? []) : [];
  });
}

function requireTrusted(
  script: ToolboxScript | ScriptFault,
  computer: DiskComputer,
): ToolboxScript | ScriptFault {
  if ("fault" in script) return script;
  const untrusted = findUntrustedScript(script, computer);
  if (untrusted === undefined) return script;
  const { path } = script;
  if (typeof untrusted === "string") return { path, fault: untrusted };
  return { path, fault: untrustedFault, untrusted };
}

/** Returns a script with the id of its tool, or a string that says what is wrong. */
export function nameScript(
  script: ToolboxScript | ScriptFault,
  described: ToolDescription | string,
): DescribedScript | string {
  if ("fault" in script) return script.fault;
  if (typeof described === "string") return described;
  const id = toToolboxId(script, described.name);
  if (id === undefined) return "has no valid name. Use letters, digits, _ and -";
  return { id, script, described };
}

async function runLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  return results;
}
