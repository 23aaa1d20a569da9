import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import type { BrokerStart } from "../sandbox/sandbox.ts";
import { BrokerConnection, type Launched } from "./broker-connection.ts";
import type { LaunchStreams } from "./brokered-run.ts";

/**
 * Starts processes through a small process of its own: one that holds much memory takes long to
 * start others. The small one is started when it is first needed, and anew after it died.
 */
export interface Broker {
  /** Comes back once the process was asked for, which may be before it runs. */
  launch(plan: LaunchPlan, streams: LaunchStreams): Promise<Launched>;
  /** Ends whatever was started, and the process that did. A further use starts it anew. */
  close(): void;
  /** The same for a process that no longer listens. */
  kill(): void;
}

const idleMs = 5 * 60_000;

/** Makes a broker, of which nothing runs yet. */
export function createBroker(start: Pick<BrokerStart, "prefix">): Broker {
  let current: BrokerConnection | undefined;
  let idle: NodeJS.Timeout | undefined;
  const connect = (): BrokerConnection => {
    if (current !== undefined) return current;
    const opened = new BrokerConnection(start, () => {
      if (current === opened) current = undefined;
    });
    current = opened;
    return opened;
  };
  const close = (): void => {
    clearTimeout(idle);
    idle = undefined;
    const closing = current;
    current = undefined;
    closing?.close();
  };
  const rest = (): void => {
    if (current?.isBusy) idle?.refresh();
    else close();
  };
  return {
    launch: (plan, streams) => {
      if (idle === undefined) idle = setTimeout(rest, idleMs).unref();
      else idle.refresh();
      return connect().launch(plan, streams);
    },
    close,
    kill: () => current?.kill(),
  };
}

/** Ends all brokers of this process, and whatever they started. */
export function closeBrokers(): void {
  for (const broker of brokers.values()) broker.close();
}

const brokers = new Map<string, Broker>();

/** The broker of this process for all who need it started alike. */
export function sharedBroker(start: BrokerStart): Broker {
  const key = start.key;
  const known = brokers.get(key) ?? createBroker(start);
  brokers.set(key, known);
  return known;
}
