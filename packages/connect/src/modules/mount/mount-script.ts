import type { Cleanup, Mounted } from "@haft/contract";
import { importModule } from "../load/import-module.ts";
import type { ModuleConfig } from "../plan/mount-plan.ts";
import { asModule } from "./as-module.ts";
import type { Contributions } from "./contribution-box.ts";
import { createModuleCoordinator } from "./module-coordinator.ts";
import type { MountedModule } from "./mounted-module.ts";
import { keepWithin } from "./time-limit.ts";

/** What a module in JavaScript or TypeScript is mounted with. */
export interface ScriptMount {
  readonly file: string;
  readonly config: ModuleConfig;
  readonly contributions: Contributions;
  /** How long loading and mounting may take together. */
  readonly limitMs: number;
}

/** Mounts a module in this process. If that fails, nothing of it stays. */
export async function mountScript(mount: ScriptMount): Promise<MountedModule> {
  const { coordinator, offered, close } = createModuleCoordinator(mount.contributions);
  const mounting = asModule(async () =>
    (await importModule(mount.file))(coordinator, mount.config),
  );
  const cleanups: Cleanup[] = [];
  try {
    const seconds = mount.limitMs / 1000;
    const returned = await keepWithin(mounting, {
      ms: mount.limitMs,
      message: `Its mount did not end within ${seconds} s.`,
    });
    if (typeof returned === "function") cleanups.push(returned);
    else requireTool(returned);
    const isNew =
      typeof returned === "object" && returned && !offered.some(({ tool }) => tool === returned);
    return {
      offered: isNew ? [...offered, { tool: returned }] : offered,
      close: async () => {
        close();
        for (const cleanup of cleanups) await asModule(cleanup);
      },
    };
  } catch (error) {
    close();
    mounting.then(cleanUpLate, () => {});
    throw error;
  }
}

function requireTool(returned: unknown): void {
  if (returned === undefined || returned === null || typeof returned === "object") return;
  throw new TypeError(
    `Its mount returned a ${typeof returned}. It may return a tool, a function that cleans up, or nothing.`,
  );
}

async function cleanUpLate(returned: Mounted): Promise<void> {
  try {
    if (typeof returned === "function") await asModule(returned);
  } catch {
    // It was given up already.
  }
}
