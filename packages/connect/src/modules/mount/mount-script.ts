import { pathToFileURL } from "node:url";
import { type Cleanup, type Mount, type Mounted, ToolError } from "@haft/contract";
import { registerModuleHooks } from "../load/module-hooks.ts";
import type { ModuleConfig } from "../plan/mount-plan.ts";
import { asModule } from "./as-module.ts";
import type { Contributions } from "./contributions.ts";
import { createModuleCoordinator } from "./module-coordinator.ts";
import type { MountedModule } from "./mounted-module.ts";
import { keepWithin } from "./time-limit.ts";

/** Options for mounting a JavaScript or TypeScript module. */
export interface ScriptMount {
  readonly file: string;
  readonly config: ModuleConfig;
  readonly contributions: Contributions;
  /** Time limit for loading and mounting together. */
  readonly limitMs: number;
}

/** Mounts a module in this process. A failed mount leaves nothing behind. */
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
      message: `Its mount() did not finish within ${seconds} s.`,
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
    `Its mount() returned a ${typeof returned}. It must return a tool, a cleanup function or nothing.`,
  );
}

async function cleanUpLate(returned: Mounted): Promise<void> {
  try {
    if (typeof returned === "function") await asModule(returned);
  } catch {
    // The mount already failed.
  }
}

/** Imports a module and returns its `mount` function. */
async function importModule(file: string): Promise<Mount> {
  registerModuleHooks();
  const exported = (await import(pathToFileURL(file).href)) as Exported;
  // A CommonJS module is the default export.
  const mount = exported.mount ?? (exported.default as Exported | undefined)?.mount;
  if (typeof mount === "function") return mount as Mount;
  throw new ToolError(
    "invalid-arguments",
    `${file} does not export a function mount. Add: export async function mount(coordinator, config) { … }`,
  );
}

interface Exported {
  readonly mount?: unknown;
  readonly default?: unknown;
}
