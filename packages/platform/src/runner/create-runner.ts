import { toErrorMessage } from "@haft/contract/internal";
import type { PlatformSettings, RunnerSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import type { OnPrint } from "./printed-output.ts";
import type { Runner } from "./runner.ts";
import { Scheduler } from "./scheduler.ts";
import { createWorkerLauncher } from "./worker-launcher.ts";

/** Options of a runner. */
export interface RunnerOptions {
  readonly settings: RunnerSettings;
  /** Whether tools may reach private addresses that they declare. */
  readonly privateHosts: PlatformSettings["privateHosts"];
  /** A directory for the sandboxes' files, used by this runner only. */
  readonly directory: string;
  readonly onPrint?: OnPrint;
}

/** A runner that uses sandboxes on this machine. */
export interface SandboxRunner extends Runner {
  /**
   * Starts the blank workers. Throws a `Problem` 503 that says what is missing if none can start.
   */
  ready(): Promise<void>;
}

/** Creates a runner. It starts no process before `ready` or the first run. */
export function createRunner(options: RunnerOptions): SandboxRunner {
  const launcher = createWorkerLauncher(options);
  const scheduler = new Scheduler(options.settings, launcher, options.onPrint);
  return {
    ready: async () => {
      try {
        await scheduler.prepare();
      } catch (error) {
        throw new Problem(
          503,
          `This server can't run tools, because it has no sandbox. ${toErrorMessage(error)}`,
        );
      }
    },
    run: (program, run) => scheduler.run(program, run),
    stats: () => scheduler.stats(),
    close: (graceMs) => scheduler.close(graceMs),
  };
}
