import type { Builder } from "../publish/builder.ts";
import type { Runner } from "../runner/runner.ts";
import type { ArtifactStore } from "../versions/resolved-version.ts";
import type { Observers } from "./observe.ts";

/** Runs and builds tools, in this process or on workers. */
export interface ExecutionBackend {
  readonly runner: Runner;
  readonly builder: Builder;
  /** Throws a `Problem` that says what is missing if tools can't be run. */
  ready(): Promise<void>;
  /** Throws a `Problem` if no worker is running. Absent if tools run in this process. */
  readonly requireWorkers?: () => Promise<void>;
  /** Takes no new work and waits for running work. Work that runs after `graceMs` fails. */
  close(graceMs: number): Promise<void>;
}

/** Options of an execution backend. */
export interface ExecutionBackendOptions extends Observers {
  readonly directory: string;
  readonly artifacts: ArtifactStore;
}
