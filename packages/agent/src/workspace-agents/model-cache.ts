import type { AgentManifest } from "../manifests/agent-manifest.ts";
import { isModelClass } from "../models/model-class.ts";
import type { OpenModel } from "../models/open-model.ts";
import { openModel } from "../models/open-model-by-name.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import type { WorkspaceAgentsOptions } from "./workspace-agents.ts";

/** Opens each model once. */
export interface ModelCache {
  /** Returns the model of this name. Rejects with a `TypeError` that says what to do if it can't be opened. */
  open(name: string): Promise<OpenModel>;
  /** Returns the first name that is defined, or the model of the settings. Throws a `TypeError` if there is none. */
  choose(...names: readonly (string | undefined)[]): string;
  /** Returns the model that a manifest names, itself or by a class that the settings map to a model. */
  find(manifest: Pick<AgentManifest, "model">): string | undefined;
}

/** Creates an empty model cache. */
export function createModelCache(
  {
    model,
    baseUrl,
    environment,
  }: Pick<WorkspaceAgentsOptions, "model" | "baseUrl" | "environment">,
  settings: AgentSettings,
): ModelCache {
  const cache = new Map<string, Promise<OpenModel>>();
  // The base URL belongs to the main model's provider: the key of another provider must not go there.
  const mainProvider = providerOf(model ?? settings.model ?? "");
  const baseUrlOf = (name: string): string | undefined =>
    mainProvider === "" || providerOf(name) === mainProvider ? baseUrl : undefined;
  const openAnew = (name: string): Promise<OpenModel> => {
    const opened = openModel(name, { settings, environment, baseUrl: baseUrlOf(name) });
    cache.set(name, opened);
    opened.catch(() => cache.delete(name));
    return opened;
  };
  return {
    open: (name) => cache.get(name) ?? openAnew(name),
    find: ({ model: named }) =>
      named !== undefined && isModelClass(named) ? settings.modelClasses?.[named] : named,
    choose: (...names) => {
      const chosen = [...names, settings.model].find((name) => name !== undefined);
      if (chosen !== undefined) return chosen;
      throw new TypeError(
        'No model is chosen. Set HAFT_MODEL to PROVIDER/MODEL, add "model" to ~/.config/haft/settings.json, or start haft agent or haft acp with --model PROVIDER/MODEL.',
      );
    },
  };
}

function providerOf(name: string): string {
  return name.split("/", 1)[0] as string;
}
