import type { Isolation, Shell } from "@haft/contract";
import type { RunScope } from "@haft/core";
import { commandEnvironment } from "./command-environment.ts";
import type { ComputerShellOptions } from "./computer-shell-options.ts";
import { findConfiner } from "./confine-run.ts";
import { openDiskShell, type ShellPlace } from "./disk-shell.ts";
import { createJobBook, type JobBook } from "./jobs/job-book.ts";
import { keepJobsIn } from "./jobs/kept-jobs.ts";

/** The programs of a computer, with all that they need. */
export interface ShellEngine {
  open(scope: RunScope): Shell;
  /** Finds out what confines programs. */
  findIsolation(): Promise<Isolation>;
  /** Ends the background commands of a session. */
  endJobs(session: string): Promise<void>;
}

/** Makes what runs the programs of this machine. */
export function createShellEngine(options: ComputerShellOptions): ShellEngine {
  const { confinement, passVariables } = options;
  const books = new Map<string, JobBook>();
  const openBook = (session: string): JobBook =>
    options.locateJobs === undefined ? createJobBook() : keepJobsIn(options.locateJobs(session));
  const jobsOf = (session: string): JobBook => {
    const known = books.get(session) ?? openBook(session);
    books.set(session, known);
    return known;
  };
  const place: ShellPlace = {
    ...options,
    environment: () => commandEnvironment(process.env, passVariables),
    jobsOf,
  };
  return {
    open: (scope) => openDiskShell(scope, place),
    findIsolation: async () => (await findConfiner(confinement)).isolation,
    endJobs: async (session) => {
      // A book that nobody opened may still have jobs of other processes.
      const isKept = options.locateJobs !== undefined;
      if (isKept || books.has(session)) await jobsOf(session).close();
      books.delete(session);
    },
  };
}
