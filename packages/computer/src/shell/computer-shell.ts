import type { Isolation, Shell } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { ComputerShellOptions } from "./computer-shell-options.ts";
import type { ShellEngine } from "./shell-engine.ts";

/** The programs of a computer. */
export interface ComputerShell {
  open(scope: RunScope): Shell;
  /** Finds out what confines programs; `undefined` once that is done. */
  prepare(): undefined | Promise<void>;
  /** Known once it is prepared. */
  readonly isolation: Isolation;
  /** Values that programs may use but nobody is to see, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Ends the background commands of a session. */
  endJobs(session: string): Promise<void>;
}

/**
 * Makes the programs of this machine available to calls. What runs them is loaded when first used:
 * most calls run none, and a command of milliseconds must not wait for it.
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
      // Whoever runs something is told.
    }
    isPrepared = true;
  };
  return {
    open: (scope) => openLater(async () => (await load()).open(scope)),
    prepare: () => (isPrepared ? undefined : prepare()),
    get isolation() {
      return isolation;
    },
    secrets: pickSecrets(passVariables),
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
      output: async (id, since) => (await shell()).jobs.output(id, since),
      stop: async (id) => (await shell()).jobs.stop(id),
    },
  };
}

function pickSecrets(names: readonly string[]): Record<string, string> {
  const found = names.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => !!entry[1]));
}
