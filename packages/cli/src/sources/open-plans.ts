import { join } from "node:path";
import type { MountedPlan } from "@haft/connect/modules";
import type { Tool } from "@haft/contract";
import type { Io } from "../io.ts";
import { chooseTools } from "../options/choose-tools.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";
import type { ToolSourceContext } from "./tool-source-context.ts";

/** The mounted plans, and the built-in tools that they leave. */
export interface OpenPlans {
  readonly plans: readonly MountedPlan[];
  readonly builtins: readonly Tool[];
}

/** Mounts the modules of every plan. */
export async function openPlans(
  { mounts, dialect }: CommonOptions,
  io: Io,
  { agentTools, computer, state, warn }: ToolSourceContext,
): Promise<OpenPlans> {
  const native = [...chooseTools(io), ...agentTools];
  let builtins: readonly Tool[] = native;
  if (mounts.length === 0) return { plans: [], builtins };
  // Loaded only if there is a plan.
  const { openMountPlan } = await import("@haft/connect/modules");
  const plans: MountedPlan[] = [];
  try {
    for (const path of mounts) {
      const { environment } = io;
      const cacheDirectory = join(state, "modules");
      // Includes what an earlier plan left out: a module must not take a name that rules trust.
      const reservedNames = [
        ...dialect.aliases.map(({ name }) => name),
        ...[...native, ...plans.flatMap((mounted) => mounted.tools())].flatMap(namesOf),
      ];
      const given = { computer, builtins, reservedNames, cacheDirectory, environment, warn };
      const plan = await openMountPlan(path, given);
      plans.push(plan);
      builtins = plan.builtins();
    }
  } catch (error) {
    await Promise.all(plans.map((plan) => plan.close()));
    throw new UsageError(`--mount: ${(error as Error).message}`);
  }
  return { plans, builtins };
}

function namesOf({ id, aliases = [] }: Tool): readonly string[] {
  return [id, ...aliases.map(({ name }) => name)];
}
