import type { Broker } from "../broker/broker.ts";
import type { Launched } from "../broker/broker-connection.ts";
import type { LaunchStreams } from "../broker/brokered-run.ts";
import type { LaunchEnd } from "../broker/messages.ts";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { type EndWatch, type RunStop, watchForAbort, watchForTimeout } from "./run-stop.ts";

/** What to launch, and the broker that does it. */
export interface SupervisedRun {
  readonly plan: LaunchPlan;
  readonly broker: Broker;
  readonly streams: LaunchStreams;
}

/** When to stop it. */
export interface Supervision {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** Called at the time limit. If it returns true, the run goes on, and the signal no longer stops it. */
  onTimeout?(launched: Launched): boolean;
  /** Watches for one more reason to stop. */
  watch?(launched: Launched, stop: (reason: RunStop) => void): EndWatch;
}

/** How it ended: none of its processes runs any more. */
export interface SupervisedEnd {
  readonly end: LaunchEnd;
  /** Why it was stopped, if it was. */
  readonly stop: RunStop | undefined;
}

// A broker that fails to end a run is ended itself, and everything with it.
const patienceMs = 3_000;

/** Launches a process and supervises it until everything that it started has ended. */
export async function superviseRun(
  { plan, broker, streams }: SupervisedRun,
  { signal, timeoutMs, onTimeout, watch }: Supervision,
): Promise<SupervisedEnd> {
  let stop: RunStop | undefined;
  let launched: Launched | undefined;
  const kill = (target: Launched): void => {
    target.kill();
    const patience = setTimeout(() => broker.kill(), patienceMs);
    void target.exited.then(() => clearTimeout(patience));
  };
  const onStop = (reason: RunStop): void => {
    if (stop !== undefined) return;
    stop = reason;
    if (launched !== undefined) kill(launched);
  };
  const endAbortWatch = watchForAbort(signal, onStop);
  const watches = [endAbortWatch];
  try {
    const run = await broker.launch(plan, streams);
    launched = run;
    if (stop !== undefined) kill(launched);
    else {
      // The time limit counts from the command's own start: the broker may have to be started first.
      if (timeoutMs !== undefined) {
        const onLimit = (reason: RunStop): void => {
          if (stop === undefined && onTimeout?.(run)) endAbortWatch();
          else onStop(reason);
        };
        watches.push(watchForTimeout(timeoutMs, onLimit));
      }
      if (watch !== undefined) watches.push(watch(launched, onStop));
    }
    return { end: await launched.ended, stop };
  } finally {
    for (const endWatch of watches) endWatch();
  }
}
