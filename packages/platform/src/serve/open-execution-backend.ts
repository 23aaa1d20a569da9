import { join, resolve } from "node:path";
import { createLiveOutput } from "../history/live-output.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createBuilder } from "../publish/create-builder.ts";
import { createRunner } from "../runner/create-runner.ts";
import type { ExecutionBackend, ExecutionBackendOptions } from "./execution-backend.ts";
import { observeRunner } from "./observe.ts";

/**
 * What a process does: everything (`all`), only serve the API (`api`), or only run and build
 * (`worker`).
 */
export type PlatformRole = "all" | "api" | "worker";

/** Opens the execution backend of a role. */
export async function openExecutionBackend(
  parts: PlatformParts,
  role: PlatformRole,
  options: ExecutionBackendOptions,
): Promise<ExecutionBackend> {
  if (role === "all") return openLocalBackend(parts, options);
  // Imported lazily: the role `all` needs no job engine in memory.
  const { openRemoteBackend, openWorkerBackend } = await import("./queued-execution.ts");
  return role === "api"
    ? openRemoteBackend(parts, options)
    : openWorkerBackend(parts, openLocalBackend(parts, options), options);
}

function openLocalBackend(
  parts: PlatformParts,
  options: ExecutionBackendOptions,
): ExecutionBackend {
  const directory = resolve(options.directory);
  const { settings } = parts;
  const runner = observeRunner(
    createRunner({
      settings: settings.runner,
      privateHosts: settings.privateHosts,
      directory: join(directory, "runner"),
      onPrint: createLiveOutput(parts),
    }),
    options,
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
