import { dirname } from "node:path";
import type { DiskComputer } from "@haft/computer";
import type { Warn } from "../tool-supply.ts";
import { findEntry } from "./load/find-entry.ts";
import type { Contributions } from "./mount/contribution-box.ts";
import { mountScript } from "./mount/mount-script.ts";
import type { MountedModule } from "./mount/mounted-module.ts";
import type { Environment } from "./plan/expand-environment.ts";
import type { PlanEntry } from "./plan/mount-plan.ts";
import { mountPython } from "./python/mount-python.ts";

/** What of a computer modules need: processes of their own are started there. */
export type ModuleComputer = Pick<DiskComputer, "roots" | "home" | "startProgram">;

/** What modules are mounted with. */
export interface MountContext {
  readonly computer: ModuleComputer;
  readonly contributions: Contributions;
  readonly environment: Environment;
  readonly warn: Warn;
  /** How long a mount may take; 10 seconds unless said. */
  readonly mountLimitMs?: number | undefined;
}

const defaultLimitMs = 10_000;

/** Mounts the module at a place: in this process, or in one of its own where it is Python. */
export async function mountModule(
  place: string,
  { module, config, hosts }: PlanEntry,
  context: MountContext,
): Promise<MountedModule> {
  const { contributions, environment, computer, warn, mountLimitMs = defaultLimitMs } = context;
  const entry = await findEntry(place, module);
  if (entry.type === "python") {
    return mountPython({
      entry,
      config,
      hosts: hosts ?? [],
      contributions,
      environment,
      startProgram: async (start) => {
        const started = await computer.startProgram(start);
        // Such as what it made and may not leave behind.
        void started.ended.then(({ notes }) => {
          for (const note of notes) warn(`${module}: ${note}`);
        });
        return started;
      },
      limitMs: mountLimitMs,
      warn: (message) => warn(`${module}: ${message}`),
    });
  }
  if (hosts !== undefined) {
    warn(
      `${module}: hosts bound modules in Python only. This one runs in Haft's own process (${dirname(entry.file)}) and can reach what that can.`,
    );
  }
  return mountScript({ file: entry.file, config, contributions, limitMs: mountLimitMs });
}
