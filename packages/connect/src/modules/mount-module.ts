import { dirname } from "node:path";
import type { DiskComputer } from "@haft/computer";
import type { Warn } from "../tool-source.ts";
import { findEntry } from "./load/find-entry.ts";
import type { Contributions } from "./mount/contributions.ts";
import { mountScript } from "./mount/mount-script.ts";
import type { MountedModule } from "./mount/mounted-module.ts";
import type { Environment } from "./plan/expand-environment.ts";
import type { PlanEntry } from "./plan/mount-plan.ts";
import { mountPython } from "./python/mount-python.ts";

/** The parts of a computer that modules need. */
export type ModuleComputer = Pick<DiskComputer, "roots" | "home" | "startProgram" | "trust">;

/** Options for mounting modules. */
export interface MountContext {
  readonly computer: ModuleComputer;
  readonly contributions: Contributions;
  readonly environment: Environment;
  readonly warn: Warn;
  /** Time limit for mounting, in milliseconds. Default: 10,000. */
  readonly mountLimitMs?: number | undefined;
}

const defaultLimitMs = 10_000;

/** Mounts the module at a path: in this process, or for Python in a process of its own. */
export async function mountModule(
  path: string,
  { module, config, hosts }: PlanEntry,
  context: MountContext,
): Promise<MountedModule> {
  const { contributions, environment, computer, warn, mountLimitMs = defaultLimitMs } = context;
  const entry = await findEntry(path, module);
  if (entry.type === "python") {
    return mountPython({
      entry,
      config,
      hosts: hosts ?? [],
      contributions,
      environment,
      startProgram: async (start) => {
        const started = await computer.startProgram(start);
        // Such as files that it created and that were removed.
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
      `${module}: "hosts" only limits Python modules. This module (${dirname(entry.file)}) runs in Haft's own process and has the same network access.`,
    );
  }
  return mountScript({ file: entry.file, config, contributions, limitMs: mountLimitMs });
}
