import { dirname, resolve } from "node:path";
import type { Cleanup, Tool } from "@haft/contract";
import type { ToolSupply, Warn } from "../tool-supply.ts";
import { adoptTool } from "./mount/adopt-tool.ts";
import {
  type ContributionBox,
  type Contributions,
  createContributionBox,
} from "./mount/contribution-box.ts";
import type { MountedModule } from "./mount/mounted-module.ts";
import { keepWithin } from "./mount/time-limit.ts";
import { type ModuleComputer, mountModule } from "./mount-module.ts";
import { configureTools, isOwnModule, leaveOut } from "./own/configure-tools.ts";
import type { Environment } from "./plan/expand-environment.ts";
import type { PlanEntry } from "./plan/mount-plan.ts";
import { readMountPlan } from "./plan/read-mount-plan.ts";
import { findModule } from "./source/find-module.ts";

/** What a plan is mounted with. */
export interface MountPlanOptions {
  readonly computer: ModuleComputer;
  /** All built-in tools: no module's tool takes a name of theirs. */
  readonly builtins: readonly Tool[];
  /** Other names that no module's tool may have, such as a dialect's. */
  readonly reservedNames?: Iterable<string>;
  /** Where modules that are fetched are kept. */
  readonly cacheDirectory: string;
  readonly environment: Environment;
  readonly warn: Warn;
  /** Fetch anew what may have changed at its source. */
  readonly refresh?: boolean;
  /** How long the mount of one module may take; 10 seconds unless said. */
  readonly mountLimitMs?: number;
}

/** The modules of a plan, mounted. */
export interface MountedPlan extends ToolSupply {
  /** The built-in tools as the plan configures them. */
  builtins(): readonly Tool[];
  /** Connects what the modules contribute with a session; the cleanup takes it back. */
  attach(session: Contributions): Cleanup;
}

const cleanupLimitMs = 5_000;

/**
 * Mounts the modules of a plan. A plan that can't be read throws; a module that can't be mounted
 * costs one warning, and the others go on.
 */
export async function openMountPlan(path: string, options: MountPlanOptions): Promise<MountedPlan> {
  const warn: Warn = (message) => options.warn(toLine(`modules: ${message}`));
  const plan = await readMountPlan(path, options.environment);
  for (const note of plan.notes) warn(note);
  let builtins = options.builtins;
  for (const { module, why } of plan.refused) builtins = leaveOut(builtins, module, { why, warn });
  const { roots, home } = options.computer;
  for (const entry of plan.entries.filter(isOwnModule)) {
    builtins = configureTools(builtins, entry, { roots, home, warn });
  }
  const box = createContributionBox();
  const entries = plan.entries.filter((entry) => !isOwnModule(entry));
  // One that hangs keeps none of the others waiting.
  const mounted = await Promise.all(
    entries.map((entry) =>
      mountEntry(entry, { path, box, options: { ...options, warn } }).catch((error: unknown) => {
        warn(`${entry.module} is left out. ${messageOf(error)}`);
        return undefined;
      }),
    ),
  );
  const modules = mounted.filter((one) => one !== undefined);
  const tools = adoptTools(modules, namesOf(options), warn);
  return {
    name: "modules",
    tools: () => tools,
    builtins: () => builtins,
    attach: (session) => box.attach(session),
    close: async () => {
      for (const { entry, module } of modules.splice(0).reverse()) {
        const message = `It did not clean up within ${cleanupLimitMs / 1000} s.`;
        await keepWithin(module.close(), { ms: cleanupLimitMs, message }).catch((error: unknown) =>
          warn(`${entry.module} could not clean up. ${messageOf(error)}`),
        );
      }
    },
  };
}

interface MountedEntry {
  readonly entry: PlanEntry;
  readonly module: MountedModule;
}

async function mountEntry(
  entry: PlanEntry,
  {
    path,
    box,
    options,
  }: { readonly path: string; readonly box: ContributionBox; readonly options: MountPlanOptions },
): Promise<MountedEntry> {
  const { computer, environment, cacheDirectory, refresh, mountLimitMs, warn } = options;
  const sought = { ...entry, directory: dirname(resolve(path)) };
  const place = await findModule(sought, { cacheDirectory, environment, refresh, warn });
  const context = { computer, contributions: box, environment, warn, mountLimitMs };
  return { entry, module: await mountModule(place, entry, context) };
}

function namesOf({ builtins, reservedNames = [] }: MountPlanOptions): Set<string> {
  return new Set([...builtins.flatMap(allNames), ...reservedNames]);
}

function adoptTools(
  modules: readonly MountedEntry[],
  taken: Set<string>,
  warn: Warn,
): readonly Tool[] {
  const tools: Tool[] = [];
  for (const { entry, module } of modules) {
    for (const offered of module.offered) {
      try {
        const tool = adoptTool(offered, taken);
        for (const name of allNames(tool)) taken.add(name);
        tools.push(tool);
      } catch (error) {
        warn(`A tool of ${entry.module} is left out. ${messageOf(error)}`);
      }
    }
  }
  return tools;
}

function allNames({ id, aliases = [] }: Tool): readonly string[] {
  return [id, ...aliases.map(({ name }) => name)];
}

function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown ?? "");
  return text === "" ? "It does not say why." : text;
}

// What others wrote comes as one line, and moves no cursor.
function toLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
