import type { CommandReading } from "@haft/core";
import type { Confinement } from "./confine-run.ts";
import type { JobsDirectory } from "./jobs/kept-jobs.ts";

/** What the programs of a computer have in common. */
export interface ComputerShellOptions {
  readonly roots: readonly string[];
  resolve(path: string): string;
  readCommand(command: string, cwd: string): CommandReading;
  readonly confinement: Confinement;
  readonly passVariables: readonly string[];
  /** Where a session keeps jobs that outlive this process; they do not unless said. */
  locateJobs?(session: string): JobsDirectory;
}
