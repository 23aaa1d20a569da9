import type { LaunchPlan } from "./launch-plan.ts";

/** Where commands are to run in sandboxes. */
export interface SandboxPlace {
  /** The directories that commands may ever be allowed to write. */
  readonly roots: readonly string[];
  /** Directories beside these that they may ever be allowed to read, and only root may otherwise. */
  readonly reads?: readonly string[];
  readonly home: string | undefined;
  /** Where Haft keeps its state; commands neither see nor change it. */
  readonly stateDirectory: string;
  /** The directories of programs, as in `PATH`. */
  readonly searchPath: string | undefined;
}

/** Launches what tries a sandbox, and tells all that it printed. */
export type ProbeLaunch = (
  plan: LaunchPlan,
) => Promise<{ readonly exitCode: number | undefined; readonly output: string }>;
