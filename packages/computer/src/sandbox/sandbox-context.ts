import type { LaunchPlan } from "./launch-plan.ts";

/** What the sandboxes of a computer have in common. */
export interface SandboxContext {
  /** The directories that commands may ever be allowed to write. */
  readonly roots: readonly string[];
  /** The directories that every program may read. Default: none. */
  readonly readOnlyRoots?: readonly string[];
  /**
   * Further directories that they may ever be allowed to read: read-only roots, repositories, and what
   * perhaps only root can open.
   */
  readonly reads?: readonly string[];
  readonly home: string | undefined;
  /** Haft's state directory; commands neither see nor change it. */
  readonly stateDirectory: string;
  /** The directories of the `PATH`. */
  readonly searchPath: string | undefined;
  /**
   * Whether sandboxes show the base system only, for untrusted programs: nothing of this user's home,
   * tool-chains, name and environment, and neither `/usr/local` nor `/opt`. Node is there.
   * Default: false.
   */
  readonly isBare?: boolean;
}

/** Launches the test of a sandbox, and returns its output. */
export type ProbeLaunch = (
  plan: LaunchPlan,
) => Promise<{ readonly exitCode: number | undefined; readonly output: string }>;
