import { join, resolve } from "node:path";
import type { PlatformParts } from "../platform-parts.ts";
import { createBuilder } from "../publish/create-builder.ts";
import { createRunner } from "../runner/create-runner.ts";
import { observeRunner } from "./observe.ts";
import type { Workshop, WorkshopPlace } from "./workshop.ts";

/** What a process does: everything, answer only, or run and build only. */
export type PlatformRole = "all" | "api" | "worker";

/** Opens the workshop of a role. */
export async function openWorkshop(
  parts: PlatformParts,
  role: PlatformRole,
  place: WorkshopPlace,
): Promise<Workshop> {
  if (role === "all") return openHere(parts, place);
  // Who does everything alone needs no job engine in memory.
  const { openElsewhere, openForOthers } = await import("./shared-workshop.ts");
  return role === "api"
    ? openElsewhere(parts, place)
    : openForOthers(parts, openHere(parts, place), place);
}

function openHere({ settings }: PlatformParts, place: WorkshopPlace): Workshop {
  const directory = resolve(place.directory);
  const { privateHosts } = settings;
  const runner = observeRunner(
    createRunner({
      settings: settings.runner,
      privateHosts,
      directory: join(directory, "runner"),
    }),
    place,
  );
  const builder = createBuilder({ settings, directory: join(directory, "build") });
  return {
    runner,
    builder,
    ready: () => runner.ready(),
    close: async (graceMs) => {
      await Promise.all([runner.close(graceMs), builder.close()]);
    },
  };
}
