import type { PlatformSettings, RunnerSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import type { Runner } from "./runner.ts";
import { Scheduler } from "./scheduler.ts";
import { createWorkerLauncher } from "./worker-launcher.ts";

/** What a runner is made of. */
export interface RunnerOptions {
  readonly settings: RunnerSettings;
  /** Whether tools reach private addresses of hosts that they declare. */
  readonly privateHosts: PlatformSettings["privateHosts"];
  /** Where sandboxes keep what they need; nobody else's. */
  readonly directory: string;
}

/** A runner in sandboxes of this machine. */
export interface SandboxRunner extends Runner {
  /** Starts the blank workers. Throws a `Problem` 503 that says what is missing if none can be. */
  ready(): Promise<void>;
}

/** Makes a runner. Nothing is started before it is ready, or has something to run. */
export function createRunner({ settings, privateHosts, directory }: RunnerOptions): SandboxRunner {
  const launcher = createWorkerLauncher({ directory, privateHosts });
  const scheduler = new Scheduler(settings, launcher);
  return {
    ready: async () => {
      try {
        await scheduler.prepare();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Problem(503, `Tools can't be run here, for lack of a sandbox. ${reason}`);
      }
    },
    run: (program, run) => scheduler.run(program, run),
    stats: () => scheduler.stats(),
    close: (graceMs) => scheduler.close(graceMs),
  };
}
