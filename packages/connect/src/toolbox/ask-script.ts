import type { DiskComputer } from "@haft/computer";
import { ToolError } from "@haft/contract";
import { describeScript } from "./describe-script.ts";
import type { ToolDescription } from "./description/tool-description.ts";
import { openDescriptionCache } from "./description-cache.ts";
import { findUntrustedScript, untrustedFault } from "./find-untrusted-script.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

/** What options a script needs: a computer to run it and a cache for its answer. */
export interface AskOptions {
  readonly computer: Pick<DiskComputer, "startProgram" | "trust">;
  readonly cacheDirectory: string;
}

// Faster failures are not cached: they can be retried with every command.
const slowMs = 1_000;

/** Asks a script for its description and caches the answer. Returns a string if something is wrong. */
export async function askScript(
  script: ToolboxScript,
  { computer, cacheDirectory }: AskOptions,
): Promise<ToolDescription | string> {
  const untrusted = findUntrustedScript(script, computer);
  if (untrusted !== undefined) return typeof untrusted === "string" ? untrusted : untrustedFault;
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
    return `could not be asked for its description: ${error.message}`;
  }
}

/** Returns the cached description of a script, or asks it. */
export async function askOnce(
  script: ToolboxScript,
  options: AskOptions,
): Promise<ToolDescription | string> {
  const known = openDescriptionCache(options.cacheDirectory).read(script);
  return known ?? askScript(script, options);
}
