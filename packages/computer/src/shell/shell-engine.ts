import type { Isolation, ResourceKey, Shell } from "@haft/contract";
import type { RunScope } from "@haft/core";
import { commandEnvironment } from "./command-environment.ts";
import type { ComputerShellOptions } from "./computer-shell-options.ts";
import { findConfiner } from "./confine-run.ts";
import { openDiskShell, orderCommand, type ShellContext } from "./disk-shell.ts";
import { createJobTable } from "./jobs/job-table.ts";
import { keepJobsIn } from "./jobs/kept-jobs.ts";
import { createSessionJobs, type SessionJobs } from "./jobs/session-jobs.ts";

/** Runs the programs of a computer, with everything they need loaded. */
export interface ShellEngine {
  open(scope: RunScope): Shell;
  /** Checks a command and where it starts without running it. Throws the refusal. */
  judge(command: ResourceKey, scope: RunScope): Promise<void>;
  /** Finds out how programs are sandboxed. */
  findIsolation(): Promise<Isolation>;
  /** Tells whether a command of a session would run on a layer and in a network of its own. */
  canReview(session: string): Promise<boolean>;
  /** Ends the background jobs of a session. */
  endJobs(session: string): Promise<void>;
}

/** Creates the engine that runs programs on this machine. */
export function createShellEngine(options: ComputerShellOptions): ShellEngine {
  const { confinement, passVariables } = options;
  const tables = new Map<string, SessionJobs>();
  const openTable = (session: string): SessionJobs =>
    createSessionJobs(
      options.locateJobs === undefined ? createJobTable() : keepJobsIn(options.locateJobs(session)),
    );
  const jobsOf = (session: string): SessionJobs => {
    const known = tables.get(session) ?? openTable(session);
    tables.set(session, known);
    return known;
  };
  const place: ShellContext = {
    ...options,
    environment: () => commandEnvironment(process.env, passVariables),
    jobsOf,
  };
  return {
    open: (scope) => openDiskShell(scope, place),
    judge: async ({ key, cwd }, scope) => {
      await orderCommand({ command: key, cwd }, scope, place);
    },
    findIsolation: async () => (await findConfiner(confinement)).isolation,
    canReview: async (session) => {
      if (place.layers === undefined) return false;
      const confiner = await findConfiner(confinement);
      return (await confiner.canLayer()) && (await jobsOf(session).network()) === undefined;
    },
    endJobs: async (session) => {
      // Jobs that this process never opened may still have been kept by other processes.
      const isKept = options.locateJobs !== undefined;
      if (isKept || tables.has(session)) await jobsOf(session).close();
      tables.delete(session);
    },
  };
}
