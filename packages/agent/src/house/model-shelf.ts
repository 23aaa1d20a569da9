import type { OpenModel } from "../models/open-model.ts";
import { openModel } from "../models/open-model-by-name.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import type { AgentPlace } from "./agent-place.ts";

/** The models that are in use. */
export interface ModelShelf {
  /** The model of this name, opened once. Throws a `TypeError` with the remedy if it can't be. */
  open(name: string): Promise<OpenModel>;
  /** Which model an agent has: the one asked for, its own, its parent's, or that of the settings. */
  choose(...names: readonly (string | undefined)[]): string;
}

/** Opens models as they are needed. */
export function createModelShelf(place: AgentPlace, settings: AgentSettings): ModelShelf {
  const opened = new Map<string, Promise<OpenModel>>();
  // Another provider's key must not go where the main model is asked.
  const main = providerOf(place.model ?? settings.model ?? "");
  const baseUrlOf = (name: string): string | undefined =>
    main === "" || providerOf(name) === main ? place.baseUrl : undefined;
  const openAnew = (name: string): Promise<OpenModel> => {
    const { environment } = place;
    const model = openModel(name, { settings, environment, baseUrl: baseUrlOf(name) });
    opened.set(name, model);
    model.catch(() => opened.delete(name));
    return model;
  };
  return {
    open: (name) => opened.get(name) ?? openAnew(name),
    choose: (...names) => {
      const chosen = [...names, settings.model].find((name) => name !== undefined);
      if (chosen !== undefined) return chosen;
      throw new TypeError(
        'No model is chosen. Set HAFT_MODEL to PROVIDER/MODEL, put "model" into ~/.config/haft/settings.json, or start haft agent or haft acp with --model PROVIDER/MODEL.',
      );
    },
  };
}

function providerOf(name: string): string {
  return name.split("/", 1)[0] as string;
}
