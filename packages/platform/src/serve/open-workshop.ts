import { join, resolve } from "node:path";
import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { Builder } from "../publish/builder.ts";
import { createBuilder } from "../publish/create-builder.ts";
import { openWorkQueue } from "../queue/open-work-queue.ts";
import { prepareQueue } from "../queue/prepare-queue.ts";
import { createBuildHandler, createRemoteBuilder } from "../queue/remote-builder.ts";
import { createRemoteRunner, createRunHandler } from "../queue/remote-runner.ts";
import { startWorker } from "../queue/start-worker.ts";
import { createRunner } from "../runner/create-runner.ts";
import type { Runner } from "../runner/runner.ts";
import type { ArtifactStore } from "../versions/resolved-version.ts";
import { type Observers, observeRunner } from "./observe.ts";

/** What a process does: everything, answer only, or run and build only. */
export type PlatformRole = "all" | "api" | "worker";

/** Where tools are run and built: here, or by workers. */
export interface Workshop {
  readonly runner: Runner;
  readonly builder: Builder;
  /** Throws a `Problem` that says what is missing if nothing can be run. */
  ready(): Promise<void>;
  /** Takes nothing new and waits for what is under way; after a while what still runs fails. */
  close(graceMs: number): Promise<void>;
}

interface WorkshopPlace extends Observers {
  readonly directory: string;
  readonly artifacts: ArtifactStore;
}

/** Opens the workshop of a role. */
export async function openWorkshop(
  parts: PlatformParts,
  role: PlatformRole,
  place: WorkshopPlace,
): Promise<Workshop> {
  if (role === "all") return openHere(parts, place);
  await prepareQueue(parts.store);
  return role === "api" ? openElsewhere(parts, place) : openForOthers(parts, place);
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

async function openElsewhere(parts: PlatformParts, place: WorkshopPlace): Promise<Workshop> {
  const queue = await openWorkQueue(parts, { isAlive: (owner) => isAlive(parts, owner) });
  const runner = observeRunner(createRemoteRunner(queue, place.artifacts), place);
  return {
    runner,
    builder: createRemoteBuilder(queue),
    ready: async () => undefined,
    close: async (graceMs) => {
      await runner.close(graceMs);
      await queue.close();
    },
  };
}

async function openForOthers(parts: PlatformParts, place: WorkshopPlace): Promise<Workshop> {
  const here = openHere(parts, place);
  const worker = await startWorker(
    parts,
    {
      run: createRunHandler(here.runner, place.artifacts),
      build: createBuildHandler(here.builder),
    },
    { concurrency: parts.settings.runner.mostWorkers },
  );
  return {
    ...here,
    close: async (graceMs) => {
      await worker.drain();
      await here.close(graceMs);
    },
  };
}
