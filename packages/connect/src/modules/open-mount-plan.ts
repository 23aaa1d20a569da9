import { dirname, resolve } from "node:path";
import { toRealPath } from "@haft/computer/internal";
import { type Cleanup, type Tool, ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { toPlainLine } from "@haft/core/internal";
import type { OpenToolSource, Warn } from "../tool-source.ts";
import { adoptTools, allNames, type MountedEntry, messageOf } from "./mount/adopt-tools.ts";
import {
  type ContributionStore,
  type Contributions,
  createContributionStore,
} from "./mount/contributions.ts";
import { keepWithin } from "./mount/time-limit.ts";
import { type ModuleComputer, mountModule } from "./mount-module.ts";
import { configureTools, isOwnModule, leaveOut } from "./own/configure-tools.ts";
import type { Environment } from "./plan/expand-environment.ts";
import type { PlanEntry } from "./plan/mount-plan.ts";
import { findUntrustedModule, readTrustedPlan } from "./plan/plan-trust.ts";
import { findModule } from "./source/find-module.ts";

/** Options of `openMountPlan`. */
export interface MountPlanOptions {
  readonly computer: ModuleComputer;
  /** All built-in tools. Tools of modules can't use their names. */
  readonly builtins: readonly Tool[];
  /** Further names that tools of modules can't use, such as those of a dialect. */
  readonly reservedNames?: Iterable<string>;
  /** The directory for fetched modules. */
  readonly cacheDirectory: string;
  readonly environment: Environment;
  readonly warn: Warn;
  /** Fetch modules again that may have changed at their source. Default: false. */
  readonly refresh?: boolean;
  /** Time limit for mounting one module, in milliseconds. Default: 10,000. */
  readonly mountLimitMs?: number;
}

/** A mounted plan. */
export interface MountedPlan extends OpenToolSource {
  /** The built-in tools as the plan configures them. */
  builtins(): readonly Tool[];
  /** Registers the modules' contributions with a session until the cleanup is called. */
  attach(session: Contributions): Cleanup;
}

const cleanupLimitMs = 5_000;

/**
 * Mounts the modules of a plan. Throws if the plan can't be read. A module that can't be mounted is
 * left out with a warning.
 *
 * @example
 * ```ts
 * import { addToolSource } from "@haft/connect";
 * import { type MountPlanOptions, openMountPlan } from "@haft/connect/modules";
 * import { createRegistry } from "@haft/core";
 *
 * declare const options: MountPlanOptions;
 * const plan = await openMountPlan("plan.yaml", options);
 * const registry = createRegistry(plan.builtins());
 * addToolSource(registry, plan, options.warn);
 * ```
 */
export async function openMountPlan(path: string, options: MountPlanOptions): Promise<MountedPlan> {
  const warn: Warn = (message) => options.warn(toPlainLine(`modules: ${message}`));
  const { plan, untrusted } = await readTrustedPlan(path, options);
  if (untrusted !== undefined) {
    throw new ToolError(
      "not-available",
      `The mount plan ${path} came with the workspace, and its current content is not trusted. Review it with: haft trust ${path}`,
    );
  }
  for (const note of plan.notes) warn(note);
  let builtins = options.builtins;
  for (const { module, why } of plan.refused) builtins = leaveOut(builtins, module, { why, warn });
  const { roots, home } = options.computer;
  for (const entry of plan.entries.filter(isOwnModule)) {
    if (entry.as !== undefined || entry.prefer !== undefined) {
      warn(`${entry.module}: "as" and "prefer" were ignored. They apply to modules with a source.`);
    }
    builtins = configureTools(builtins, entry, { roots, home, warn });
  }
  const box = createContributionStore();
  const entries = plan.entries.filter((entry) => !isOwnModule(entry));
  // In parallel, so that a module that hangs does not delay the others.
  const mounted = await Promise.all(
    entries.map((entry) =>
      mountEntry(entry, { path, box, options: { ...options, warn } }).catch((error: unknown) => {
        warn(`${entry.module} is left out. ${messageOf(error)}`);
        return undefined;
      }),
    ),
  );
  const modules = mounted.filter((one) => one !== undefined);
  const adopted = adoptTools(modules, { builtins, taken: namesOf(options), warn });
  const { tools } = adopted;
  builtins = adopted.builtins;
  return {
    name: "modules",
    tools: () => tools,
    builtins: () => builtins,
    attach: (session) => box.attach(session),
    close: async () => {
      for (const { entry, module } of modules.splice(0).reverse()) {
        const message = `It did not finish within ${cleanupLimitMs / 1000} s.`;
        await keepWithin(module.close(), { ms: cleanupLimitMs, message }).catch((error: unknown) =>
          warn(`The cleanup of ${entry.module} failed. ${messageOf(error)}`),
        );
      }
    },
  };
}

async function mountEntry(
  entry: PlanEntry,
  {
    path,
    box,
    options,
  }: { readonly path: string; readonly box: ContributionStore; readonly options: MountPlanOptions },
): Promise<MountedEntry> {
  const { computer, environment, cacheDirectory, refresh, mountLimitMs, warn } = options;
  const sought = { ...entry, directory: dirname(resolve(path)) };
  const place = await findModule(sought, { cacheDirectory, environment, refresh, warn });
  // A fetched module is Haft's own copy, even if its state directory is in the workspace.
  const isFetched = isInside(toRealPath(cacheDirectory), place);
  const untrusted = isFetched ? undefined : findUntrustedModule(place, computer);
  if (untrusted !== undefined) {
    throw new ToolError(
      "not-available",
      typeof untrusted === "string"
        ? `${place} ${untrusted}.`
        : `${place} came with the workspace, and its current content is not trusted. Review it with: haft trust ${path}`,
    );
  }
  const context = { computer, contributions: box, environment, warn, mountLimitMs };
  return { entry, module: await mountModule(place, entry, context) };
}

function namesOf({ builtins, reservedNames = [] }: MountPlanOptions): Set<string> {
  return new Set([...builtins.flatMap(allNames), ...reservedNames]);
}
