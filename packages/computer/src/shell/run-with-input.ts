import { toErrorMessage } from "@haft/contract/internal";
import type { Broker } from "../broker/broker.ts";
import type { Launched } from "../broker/broker-connection.ts";
import type { TakeBytes } from "../broker/read-pipe.ts";
import type { ReadyRun } from "./confine-run.ts";
import type { ProgramEnd, ProgramStart, StartedProgram } from "./started-program.ts";
import { superviseRun } from "./supervise-run.ts";

/** A run that is ready, and the broker that launches it. */
export interface ReadyProgram {
  readonly ready: ReadyRun;
  readonly broker: Broker;
}

/** Launches a program whose input stays open; resolves once it runs. */
export async function runWithInput(
  { ready, broker }: ReadyProgram,
  { onOutput, onErrors }: Pick<ProgramStart, "onOutput" | "onErrors">,
): Promise<Omit<StartedProgram, "isolation" | "warning">> {
  const stopping = new AbortController();
  const notes: string[] = [];
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const giveUp = (error: unknown): void => {
    notes.push(
      `It was stopped, because its output could not be processed: ${toErrorMessage(error)}`,
    );
    stopping.abort();
  };
  const pass =
    (take: ProgramStart["onOutput"]): TakeBytes =>
    (bytes) => {
      if (stopping.signal.aborted) return undefined;
      try {
        // The bytes are valid during the call only, and the receiver may keep these.
        const taking = take(new Uint8Array(bytes));
        // Output of a program that is being ended is not waited for.
        return taking && Promise.race([taking, stopped]).catch(giveUp);
      } catch (error) {
        giveUp(error);
        return undefined;
      }
    };
  const launching = Promise.withResolvers<Launched>();
  const streams = { output: pass(onOutput), errors: pass(onErrors), staysOpen: true };
  const ending = superviseRun(
    { plan: ready.plan, broker, streams },
    {
      signal: stopping.signal,
      watch: (launched) => {
        launching.resolve(launched);
        return () => {};
      },
    },
  );
  ending.catch(launching.reject);
  const ended = finish(ending, { ready, notes });
  const launched = await launching.promise;
  try {
    await launched.started;
  } catch (error) {
    await ended;
    throw error;
  }
  const keepAlive = (isNeeded: boolean): void => {
    launched.keepAlive(isNeeded);
    ready.keepAlive(isNeeded);
  };
  keepAlive(false);
  return {
    ended,
    keepAlive,
    write: (bytes) => launched.write(bytes),
    endInput: () => launched.endInput(),
    refusedHosts: () => ready.refusedHosts(),
    stop: async () => {
      // Callers that wait for its end must not hang.
      keepAlive(true);
      stopping.abort();
      await ended;
    },
  };
}

async function finish(
  ending: ReturnType<typeof superviseRun>,
  { ready, notes }: { readonly ready: ReadyRun; readonly notes: string[] },
): Promise<ProgramEnd> {
  const end = await ending.then(
    ({ end: { exitCode, signal, survivors }, stop }) => {
      for (const { command, pid } of survivors) {
        notes.push(`Could not be ended and still running: ${command} (pid ${pid}).`);
      }
      return stop === undefined ? { exitCode, signal } : { exitCode: undefined, signal: "SIGKILL" };
    },
    (error: unknown) => {
      notes.push(toErrorMessage(error));
      return { exitCode: undefined };
    },
  );
  try {
    notes.push(...(await ready.settle()));
    await ready.close();
  } catch (error) {
    notes.push(toErrorMessage(error));
  }
  return { ...end, notes };
}
