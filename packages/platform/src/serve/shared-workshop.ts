import { setTimeout as wait } from "node:timers/promises";
import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { openWorkQueue } from "../queue/open-work-queue.ts";
import { prepareQueue } from "../queue/prepare-queue.ts";
import { createBuildHandler, createRemoteBuilder } from "../queue/remote-builder.ts";
import { createRemoteRunner, createRunHandler } from "../queue/remote-runner.ts";
import { startWorker } from "../queue/start-worker.ts";
import { observeRunner } from "./observe.ts";
import type { Workshop, WorkshopPlace } from "./workshop.ts";

/** A workshop whose work is done by workers. */
export async function openElsewhere(parts: PlatformParts, place: WorkshopPlace): Promise<Workshop> {
  await prepareQueue(parts.store);
  const queue = await openWorkQueue(parts, { isAlive: (owner) => isAlive(parts, owner) });
  const runner = observeRunner(createRemoteRunner(queue, place.artifacts), place);
  return {
    runner,
    builder: createRemoteBuilder(queue),
    ready: async () => undefined,
    close: async (graceMs) => {
      const ended = runner.close(graceMs);
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })]);
      // What takes longer is given up with the queue.
      await queue.close();
      await ended;
    },
  };
}

/** A workshop that does what others ask for. */
export async function openForOthers(
  parts: PlatformParts,
  here: Workshop,
  { artifacts }: WorkshopPlace,
): Promise<Workshop> {
  await prepareQueue(parts.store);
  const worker = await startWorker(
    parts,
    {
      run: createRunHandler(here.runner, artifacts),
      build: createBuildHandler(here.builder),
    },
    { concurrency: parts.settings.runner.mostWorkers },
  );
  return {
    ...here,
    close: async (graceMs) => {
      const drained = worker.drain();
      await Promise.race([drained, wait(graceMs, undefined, { ref: false })]);
      // What takes longer fails here, which ends the work that the worker waits for.
      await here.close(0);
      await drained;
    },
  };
}
