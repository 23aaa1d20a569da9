import type { DiskComputer } from "@haft/computer";
import { toErrorMessage } from "@haft/contract/internal";
import { type CheckerProcess, startChecker } from "./checker-process.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { type Compiler, findCompiler } from "./find-compiler.ts";

/** Checks programs against declarations. */
export interface TypeChecker {
  /** Starts the compiler, if it does not run. Never throws. */
  warm(): Promise<void>;
  /** Returns what the compiler says about a program, or why it says nothing. Never throws. */
  check(code: string, declarations: string): Promise<CheckReport>;
  close(): Promise<void>;
}

/** What the compiler says about a program, or why it says nothing. */
export type CheckReport =
  | { readonly diagnostics: readonly Diagnostic[] }
  /** Empty if there is nothing new: a compiler that can't be started is reported once. */
  | { readonly failure: string };

/** What a checker works with. */
export interface CheckerOptions {
  /** Opens the computer that the compiler runs on. */
  computer(): Pick<DiskComputer, "startProgram">;
  /** A directory of its own. */
  readonly directory: string;
  /** Finds the compiler. Default: that of this installation. */
  find?(): Compiler | undefined;
}

const maxStartMs = 5_000;
const maxCheckMs = 2_000;
const maxFailedStarts = 3;

/** Creates a checker. A compiler that hangs or crashes is ended, and another one is started for the next program. */
export function createTypeChecker({
  computer,
  directory,
  find = findCompiler,
}: CheckerOptions): TypeChecker {
  let running: Promise<CheckerProcess> | undefined;
  let failedStarts = 0;
  let isClosed = false;
  let isReported = false;
  let queue: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<CheckerProcess> => {
    const compiler = find();
    if (compiler === undefined) {
      failedStarts = maxFailedStarts;
      throw new Error("the optional package typescript is not installed for this machine");
    }
    return startChecker(computer(), compiler, directory);
  };
  const open = (): Promise<CheckerProcess> => {
    if (running !== undefined) return running;
    const starting = start();
    running = starting;
    starting.then(
      ({ ended }) => {
        failedStarts = 0;
        void ended.then(() => forget(starting));
      },
      () => {
        failedStarts += 1;
        // A compiler that can't be started is not tried again with every program.
        if (failedStarts < maxFailedStarts) forget(starting);
      },
    );
    return starting;
  };
  const forget = (gone: Promise<CheckerProcess>): void => {
    if (running === gone) running = undefined;
  };
  const checkNow = async (code: string, declarations: string): Promise<CheckReport> => {
    if (isClosed) return { failure: "the session is closed" };
    const opened = open();
    let checker: CheckerProcess;
    try {
      checker = await within(opened, maxStartMs, "the compiler did not start in time");
    } catch (error) {
      // It may still be ready for the next program.
      if (failedStarts < maxFailedStarts) return { failure: toErrorMessage(error) };
      const failure = isReported ? "" : toErrorMessage(error);
      isReported = true;
      return { failure };
    }
    try {
      const late = `the check took more than ${maxCheckMs / 1000} seconds`;
      return { diagnostics: await within(checker.check(code, declarations), maxCheckMs, late) };
    } catch (error) {
      forget(opened);
      void checker.stop();
      return { failure: toErrorMessage(error) };
    }
  };
  return {
    warm: async () => {
      if (!isClosed) await open().catch(() => {});
    },
    // The compiler has one program at a time.
    check: (code, declarations) => {
      const report = queue.then(() => checkNow(code, declarations));
      queue = report;
      return report;
    },
    close: async () => {
      isClosed = true;
      const left = running;
      running = undefined;
      await left?.then(({ stop }) => stop()).catch(() => {});
    },
  };
}

async function within<T>(result: Promise<T>, maxMs: number, failure: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(failure)), maxMs);
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
