import type { CommandReading } from "@haft/core";
import type { LayerContext } from "../layers/run-on-layer.ts";
import type { Confinement } from "./confine-run.ts";
import type { JobsDirectory } from "./jobs/kept-jobs.ts";

/** Options that all programs of a computer share. */
export interface ComputerShellOptions {
  readonly roots: readonly string[];
  /** The repositories that the roots are a part of. Programs in them run only in a sandbox. */
  readonly repositories: readonly string[];
  resolve(path: string): string;
  readCommand(command: string, cwd: string): CommandReading;
  readonly confinement: Confinement;
  readonly passVariables: readonly string[];
  /** What layers of commands need. Default: commands run on the workspace itself. */
  readonly layers?: LayerContext | undefined;
  /** Where a session keeps jobs that outlive this process. Default: they don't. */
  locateJobs?(session: string): JobsDirectory;
}
