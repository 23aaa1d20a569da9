import type { Tool } from "@haft/contract";
import type { Warn } from "../../tool-supply.ts";
import type { PlanEntry } from "../plan/mount-plan.ts";
import type { OwnPlace } from "./own-module.ts";
import { ownModules } from "./own-modules.ts";

/** Whether a plan means one of Haft's own modules. */
export function isOwnModule({ module, source }: PlanEntry): boolean {
  return source === undefined && Object.hasOwn(ownModules, module);
}

/** What own modules need to know, and whom they tell. */
export interface OwnContext extends OwnPlace {
  readonly warn: Warn;
}

/**
 * The built-in tools as an entry of a plan configures them; those that it does not cover stay as
 * they are. If its config can't be read, its tools are left out.
 */
export function configureTools(
  tools: readonly Tool[],
  { module, config }: PlanEntry,
  { warn, ...place }: OwnContext,
): readonly Tool[] {
  const own = ownModules[module];
  if (own === undefined) return tools;
  const { keys, elsewhere = {} } = own;
  const unknown = Object.keys(config).filter((key) => !keys.includes(key));
  if (unknown.length > 0) {
    const known = keys.length === 0 ? "It takes no config." : `It knows ${keys.join(", ")}.`;
    const advice = unknown.flatMap((key) => elsewhere[key] ?? []).map((text) => ` ${text}.`);
    warn(`${module}: ${unknown.join(", ")} is not known and ignored. ${known}${advice.join("")}`);
  }
  try {
    const configure = own.configure(config, place);
    return tools.map((tool) => (own.tools.includes(tool.id) ? configure(tool) : tool));
  } catch (error) {
    return leaveOut(tools, module, { why: (error as Error).message, warn });
  }
}

/** The tools without those of a module that can't be configured: unlimited is not what was meant. */
export function leaveOut(
  tools: readonly Tool[],
  module: string,
  { why, warn }: { readonly why: string; readonly warn: Warn },
): readonly Tool[] {
  const own = Object.hasOwn(ownModules, module) ? ownModules[module]?.tools : undefined;
  const left = tools.filter(({ id }) => !own?.includes(id));
  const lost = left.length < tools.length ? `, and with it ${own?.join(", ")}` : "";
  warn(`${module} is left out${lost}. ${why}`);
  return left;
}
