import type { Tool } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Warn } from "../../tool-source.ts";
import type { PlanEntry } from "../plan/mount-plan.ts";
import type { OwnModuleContext } from "./own-module.ts";
import { ownModules } from "./own-modules.ts";

/** Tells whether an entry refers to one of Haft's own modules. */
export function isOwnModule({ module, source }: PlanEntry): boolean {
  return source === undefined && Object.hasOwn(ownModules, module);
}

/** The context of own modules, with a function for warnings. */
export interface ConfigureOptions extends OwnModuleContext {
  readonly warn: Warn;
}

/**
 * Applies an entry of a plan to the built-in tools. Tools of other modules stay unchanged. If the
 * config is invalid, the module's tools are left out.
 */
export function configureTools(
  tools: readonly Tool[],
  { module, config }: PlanEntry,
  { warn, ...context }: ConfigureOptions,
): readonly Tool[] {
  const own = ownModules[module];
  if (own === undefined) return tools;
  const { keys, elsewhere = {} } = own;
  const unknown = Object.keys(config).filter((key) => !keys.includes(key));
  if (unknown.length > 0) {
    const known =
      keys.length === 0 ? "It has no configuration." : `Known keys: ${keys.join(", ")}.`;
    const advice = unknown.flatMap((key) => elsewhere[key] ?? []).map((text) => ` ${text}.`);
    warn(`${module}: unknown key ${unknown.join(", ")} was ignored. ${known}${advice.join("")}`);
  }
  try {
    const configure = own.configure(config, context);
    return tools.map((tool) => (own.tools.includes(tool.id) ? configure(tool) : tool));
  } catch (error) {
    return leaveOut(tools, module, { why: toErrorMessage(error), warn });
  }
}

/** Removes the tools of a module with an invalid config: they must not run without the intended limits. */
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
