import { setTimeout as wait } from "node:timers/promises";
import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { openWorkQueue, prepareQueue } from "../queue/open-work-queue.ts";
import { createBuildHandler, createRemoteBuilder } from "../queue/remote-builder.ts";
import { createRemoteRunner, createRunHandler } from "../queue/remote-runner.ts";
import { startWorker } from "../queue/start-worker.ts";
import { createWorkerWatch } from "../queue/worker-watch.ts";
import type { ExecutionBackend, ExecutionBackendOptions } from "./execution-backend.ts";
import { observeRunner } from "./observe.ts";

/** Opens a backend that sends its work to workers. */
export async function openRemoteBackend(
  parts: PlatformParts,
  options: ExecutionBackendOptions,
): Promise<ExecutionBackend> {
  await prepareQueue(parts.store);
  const workers = createWorkerWatch(parts);
  const queue = await openWorkQueue(parts, {
    isAlive: (owner) => isAlive(parts, owner),
    requireWorkers: workers.require,
  });
  const runner = observeRunner(createRemoteRunner(queue, options.artifacts), options);
  return {
    runner,
    builder: createRemoteBuilder(queue),
    ready: async () => undefined,
    requireWorkers: workers.require,
    close: async (graceMs) => {
      const ended = runner.close(graceMs);
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })]);
      // Work that takes longer fails with the queue.
      await queue.close();
      await ended;
    },
  };
}

/** Opens a backend that handles the work of other processes. */
export async function openWorkerBackend(
  parts: PlatformParts,
  local: ExecutionBackend,
  { artifacts }: ExecutionBackendOptions,
): Promise<ExecutionBackend> {
  await prepareQueue(parts.store);
  const worker = await startWorker(
    parts,
    {
      run: createRunHandler(local.runner, artifacts, parts),
      build: createBuildHandler(local.builder),
    },
    { concurrency: parts.settings.runner.maxWorkers },
  );
  return {
    ...local,
    close: async (graceMs) => {
      const drained = worker.drain();
      await Promise.race([drained, wait(graceMs, undefined, { ref: false })]);
      // Work that takes longer fails now, which ends the draining.
      await local.close(0);
      await drained;
    },
  };
}
