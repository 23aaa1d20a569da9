import type { Isolation, ResourceKey, Shell } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { ComputerShellOptions } from "./computer-shell-options.ts";
import { findSecretVariables } from "./secret-variables.ts";
import type { ShellEngine } from "./shell-engine.ts";

/** Runs the programs of a computer. */
export interface ComputerShell {
  open(scope: RunScope): Shell;
  /** Checks a command and where it starts without running it. Throws the refusal. */
  judge(command: ResourceKey, scope: RunScope): Promise<void>;
  /** Finds out how programs are sandboxed; `undefined` once that is done. */
  prepare(): undefined | Promise<void>;
  /** Known once it is prepared. */
  readonly isolation: Isolation;
  /** Tells whether a command of a session would run on a layer and in a network of its own. */
  canReview(session: string): Promise<boolean>;
  /** Values of the environment, by name, that must not be shown. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Ends the background jobs of a session. */
  endJobs(session: string): Promise<void>;
}

/**
 * Makes the programs of this machine available to calls. The implementation is loaded on first use:
 * most calls run no program, and a command of milliseconds must not wait for it.
 */
export function createComputerShell(options: ComputerShellOptions): ComputerShell {
  const { confinement, passVariables, locateJobs } = options;
  let loading: Promise<ShellEngine> | undefined;
  const load = (): Promise<ShellEngine> => {
    loading ??= import("./shell-engine.ts").then((engine) => engine.createShellEngine(options));
    return loading;
  };
  // Where a sandbox is required nothing runs without one.
  let isolation: Isolation = confinement.mode === "required" ? "sandbox" : "none";
  let isPrepared = false;
  const prepare = async (): Promise<void> => {
    try {
      isolation = await (await load()).findIsolation();
    } catch {
      // Calls that run something get the error.
    }
    isPrepared = true;
  };
  return {
    open: (scope) => openLater(async () => (await load()).open(scope)),
    judge: async (command, scope) => (await load()).judge(command, scope),
    prepare: () => (isPrepared ? undefined : prepare()),
    get isolation() {
      return isolation;
    },
    // Without a sandbox that is required, calls get the error.
    canReview: async (session) =>
      isolation === "sandbox" && (await (await load()).canReview(session).catch(() => false)),
    secrets: findSecretVariables(process.env, passVariables),
    endJobs: async (session) => {
      if (loading !== undefined || locateJobs !== undefined) await (await load()).endJobs(session);
    },
  };
}

function openLater(open: () => Promise<Shell>): Shell {
  let opening: Promise<Shell> | undefined;
  const shell = (): Promise<Shell> => {
    opening ??= open();
    return opening;
  };
  return {
    find: async (program, searchFirst) => (await shell()).find(program, searchFirst),
    run: async (program) => (await shell()).run(program),
    execute: async (command) => (await shell()).execute(command),
    jobs: {
      start: async (job) => (await shell()).jobs.start(job),
      list: async () => (await shell()).jobs.list(),
      output: async (id, since, wait) => (await shell()).jobs.output(id, since, wait),
      stop: async (id) => (await shell()).jobs.stop(id),
    },
  };
}
