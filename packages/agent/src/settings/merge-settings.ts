import type { AgentSettings } from "./agent-settings.ts";

/**
 * Puts a project's settings before the user's. A project comes with a repository, from anybody: it names
 * no place that keys are sent to, it makes limits of the user narrower but not wider, and what the user
 * says of prices it does not change, or limits on costs would mean nothing.
 */
export function mergeSettings(
  { user, project }: { readonly user: AgentSettings; readonly project: AgentSettings },
  warn: (problem: string) => void,
): AgentSettings {
  const { providers: foreign, ...rest } = project;
  if (foreign !== undefined) {
    warn(
      `"providers" is left out. It says where keys are sent to, which only your own file ~/.config/haft/settings.json may say`,
    );
  }
  const merged: AgentSettings = {
    ...user,
    ...rest,
    ...merge("models", user.models, project.models),
    ...merge("prices", project.prices, user.prices),
  };
  const limits: { -readonly [Name in (typeof limited)[number]]?: number } = {};
  for (const name of limited) {
    const [own, given] = [user[name], project[name]];
    if (own === undefined || given === undefined || given <= own) continue;
    warn(`"${name}" is left out. It is above the limit of your own settings, ${own}`);
    limits[name] = own;
  }
  return { ...merged, ...limits };
}

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
