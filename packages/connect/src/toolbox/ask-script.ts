import type { DiskComputer } from "@haft/computer";
import { ToolError } from "@haft/contract";
import { describeScript } from "./describe-script.ts";
import type { ToolDescription } from "./description/tool-description.ts";
import { openDescriptionCache } from "./description-cache.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

/** Who runs scripts, and where it is kept what they say. */
export interface Asking {
  readonly computer: Pick<DiskComputer, "startProgram">;
  readonly cacheDirectory: string;
}

// What fails sooner than this can be tried again with every command.
const slowMs = 1_000;

/** Asks a script anew what it does, and keeps the answer; what is wrong with it is a text. */
export async function askScript(
  script: ToolboxScript,
  { computer, cacheDirectory }: Asking,
): Promise<ToolDescription | string> {
  const cache = openDescriptionCache(cacheDirectory);
  const begun = performance.now();
  try {
    const described = await describeScript(script, computer);
    const isQuick = performance.now() - begun < slowMs;
    if (typeof described === "string" && isQuick) cache.forget(script);
    else cache.keep(script, described);
    return described;
  } catch (error) {
    if (!ToolError.isInstance(error)) throw error;
    const whose = script.isForeign ? "came with the workspace, for which nobody vouches, and " : "";
    return `${whose}was not asked what it does: ${error.message}`;
  }
}

/** Asks a script only if it is not known any more what it says. */
export async function askOnce(
  script: ToolboxScript,
  asking: Asking,
): Promise<ToolDescription | string> {
  const known = openDescriptionCache(asking.cacheDirectory).read(script);
  return known ?? askScript(script, asking);
}
