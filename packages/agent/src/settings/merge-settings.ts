import { defaultRetries, defaultSteps } from "../loop/agent-limits.ts";
import { providers } from "../models/providers.ts";
import type { AgentSettings } from "./agent-settings.ts";

/**
 * Merges a project's settings over the user's. A project comes from a repository, which anyone may have
 * written: it can't say where keys are sent, it can lower the user's limits but not raise them, and it can't
 * change the user's prices, because cost limits depend on them.
 */
export function mergeSettings(
  { user, project }: { readonly user: AgentSettings; readonly project: AgentSettings },
  warn: (problem: string) => void,
): AgentSettings {
  const { providers: foreign, budgets, ...rest } = project;
  if (budgets !== undefined) {
    warn(`"budgets" is ignored. Only your own file ~/.config/haft/settings.json can set it`);
  }
  if (foreign !== undefined) {
    warn(
      `"providers" is ignored. It determines where keys are sent, so only your own file ~/.config/haft/settings.json can set it`,
    );
  }
  const merged: AgentSettings = {
    ...user,
    ...rest,
    ...merge("modelClasses", user.modelClasses, project.modelClasses),
    ...merge("models", user.models, project.models),
    ...merge("prices", project.prices, user.prices),
  };
  const limits: { -readonly [Name in (typeof limited)[number]]?: number } = {};
  for (const name of limited) {
    const [own, given] = [user[name], project[name]];
    if (own === undefined || given === undefined || given <= own) continue;
    warn(`"${name}" is ignored. It is above the limit in your own settings, ${own}`);
    limits[name] = own;
  }
  return { ...merged, ...limits };
}

/** Returns the part of a project's untrusted settings that takes effect: stricter limits. */
export function toLimits(project: AgentSettings, user: AgentSettings): AgentSettings {
  return Object.fromEntries(
    Object.entries(widest).flatMap(([name, max]) => {
      const field = name as keyof typeof widest;
      const given = project[field];
      return given === undefined ? [] : [[field, Math.min(given, user[field] ?? max)]];
    }),
  );
}

/** Lists the fields that have no effect until a person trusts the file. */
export function listOtherFields(project: AgentSettings): readonly string[] {
  return Object.keys(project).filter((name) => !Object.hasOwn(widest, name));
}

// The limits without any settings.
const widest = {
  maxSteps: defaultSteps,
  maxTokens: Number.POSITIVE_INFINITY,
  maxCost: Number.POSITIVE_INFINITY,
  retries: defaultRetries,
  contextTokens: Math.min(...Object.values(providers).map((one) => one.contextTokens)),
};

const limited = ["maxSteps", "maxTokens", "maxCost"] as const;

function merge<Name extends string, Value>(
  name: Name,
  below: Readonly<Record<string, Value>> | undefined,
  above: Readonly<Record<string, Value>> | undefined,
): { [Key in Name]?: Readonly<Record<string, Value>> } {
  if (below === undefined && above === undefined) return {};
  const merged: { [Key in Name]?: Readonly<Record<string, Value>> } = {};
  merged[name] = { ...below, ...above };
  return merged;
}
