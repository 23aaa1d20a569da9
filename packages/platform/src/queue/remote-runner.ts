import { openJournal } from "../async/journal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { JournalState } from "../runner/run-journal.ts";
import type { Runner, ToolProgram, ToolRun, ToolRunResult } from "../runner/runner.ts";
import type { ArtifactStore } from "../versions/resolved-version.ts";
import type { WorkQueue } from "./open-work-queue.ts";
import { NotBegun } from "./remote-work.ts";
import type { WorkHandler } from "./start-worker.ts";

interface RunRequest {
  readonly program: Omit<ToolProgram, "load">;
  readonly run: Omit<ToolRun, "signal" | "onStatus" | "journal">;
  /** The journal of an asynchronous invocation. The worker itself writes to it. */
  readonly journal?: JournalState;
}

interface RunEvent {
  readonly status: unknown;
}

const maxKnown = 1_000;

/** Creates a runner that runs tools on workers. */
export function createRemoteRunner(queue: WorkQueue, artifacts: ArtifactStore): Runner {
  const waiting = new Set<Promise<unknown>>();
  // Artifacts of versions stay in the store. Those of test runs are removed.
  const known = new Set<string>();
  const ask = async (program: ToolProgram, run: ToolRun): Promise<ToolRunResult> => {
    const started = performance.now();
    const { load, ...description } = program;
    const { signal, onStatus, journal, ...inputs } = run;
    try {
      // The artifact of a test run is not stored yet. Workers load it by its digest.
      if (!known.has(program.digest)) {
        if (!(await has(artifacts, program.digest))) {
          await artifacts.put(program.digest, await load());
        }
        if (known.size >= maxKnown) known.clear();
        known.add(program.digest);
      }
      const result = await queue.ask({
        kind: "run",
        request: {
          program: description,
          run: inputs,
          ...(journal !== undefined && { journal: toState(journal) }),
        } satisfies RunRequest,
        onEvent: (event) => onStatus?.((event as RunEvent).status),
        ...(signal !== undefined && { signal }),
      });
      return result as ToolRunResult;
    } catch (error) {
      const failure = toFailure(error, performance.now() - started);
      // The worker died, so what has a journal can continue from there.
      if (journal === undefined) return failure;
      const begun = error instanceof NotBegun ? { hasNotBegun: true as const } : {};
      return { ...failure, ...begun, isInterrupted: true };
    }
  };
  return {
    run: (program, run) => {
      const running = ask(program, run);
      waiting.add(running);
      return running.finally(() => waiting.delete(running));
    },
    stats: () => ({ workers: 0, blank: 0, busy: waiting.size, waiting: 0 }),
    close: async () => {
      await Promise.all(waiting);
    },
  };
}

/** Creates the worker's handler for run requests. */
export function createRunHandler(
  runner: Runner,
  artifacts: ArtifactStore,
  parts: Pick<PlatformParts, "store" | "secrets" | "settings" | "now">,
): WorkHandler {
  return ({ program, run, journal }: RunRequest, { tell, signal }) =>
    runner.run(
      { ...program, load: () => artifacts.get(program.digest) },
      {
        ...run,
        ...(journal !== undefined && { journal: openJournal(parts, run.invocationId, journal) }),
        signal,
        onStatus: (status) => tell({ status } satisfies RunEvent),
      },
    );
}

async function has(artifacts: ArtifactStore, digest: string): Promise<boolean> {
  return artifacts.get(digest).then(
    () => true,
    () => false,
  );
}

function toState({ entries, limits, attempt }: JournalState): JournalState {
  return { entries, limits, attempt };
}

function toFailure(
  error: unknown,
  durationMs: number,
): Extract<ToolRunResult, { succeeded: false }> {
  const isKnown = error instanceof Problem;
  return {
    succeeded: false,
    exceptionType: "WorkerDied",
    exceptionMessage: isKnown ? error.message : "The work queue can't be reached. Try again later.",
    exceptionStackTrace: [],
    durationMs,
  };
}
