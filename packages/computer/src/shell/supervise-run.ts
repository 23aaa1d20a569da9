import type { Broker } from "../broker/broker.ts";
import type { Launched } from "../broker/broker-connection.ts";
import type { LaunchStreams } from "../broker/brokered-run.ts";
import type { LaunchEnd } from "../broker/messages.ts";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { type EndWatch, type RunStop, watchForAbort, watchForTimeout } from "./run-stop.ts";

/** What to launch, and who does it. */
export interface SupervisedRun {
  readonly plan: LaunchPlan;
  readonly broker: Broker;
  readonly streams: LaunchStreams;
}

/** When to stop it. */
export interface Supervision {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** Watches for one more reason to stop. */
  watch?(launched: Launched, stop: (reason: RunStop) => void): EndWatch;
}

/** How it ended: nothing of it runs any more. */
export interface SupervisedEnd {
  readonly end: LaunchEnd;
  /** Why it was stopped, if it was. */
  readonly stop: RunStop | undefined;
}

// A broker that does not manage to end a run has to go itself, and everything with it.
const patienceMs = 3_000;

/** Launches a process and stays with it until all that it started has ended. */
export async function superviseRun(
  { plan, broker, streams }: SupervisedRun,
  { signal, timeoutMs, watch }: Supervision,
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
  const watches = [watchForAbort(signal, onStop)];
  try {
    launched = await broker.launch(plan, streams);
    if (stop !== undefined) kill(launched);
    else {
      // The time of the command itself: whoever starts it may have had to be started first.
      if (timeoutMs !== undefined) watches.push(watchForTimeout(timeoutMs, onStop));
      if (watch !== undefined) watches.push(watch(launched, onStop));
    }
    return { end: await launched.ended, stop };
  } finally {
    for (const endWatch of watches) endWatch();
  }
}
