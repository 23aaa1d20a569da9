import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import type { BrokerStart } from "../sandbox/sandbox.ts";
import { BrokerConnection, type Launched } from "./broker-connection.ts";
import type { LaunchStreams } from "./brokered-run.ts";

/**
 * Starts processes through a small helper process: a process with much memory takes long to fork.
 * The helper is started when first needed, and again after it died.
 */
export interface Broker {
  /** Returns once the process was requested, which may be before it runs. */
  launch(plan: LaunchPlan, streams: LaunchStreams): Promise<Launched>;
  /** Ends everything that was started, and the helper. Further use starts a new one. */
  close(): void;
  /** Like `close`, synchronously, for a process that is exiting. */
  kill(): void;
}

const idleMs = 5 * 60_000;

/** Creates a broker. Its process starts on first use. */
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

/** Ends all brokers of this process, and everything they started. */
export function closeBrokers(): void {
  for (const broker of brokers.values()) broker.close();
}

const brokers = new Map<string, Broker>();

/** The shared broker of this process for a given start configuration. */
export function sharedBroker(start: BrokerStart): Broker {
  const key = start.key;
  const known = brokers.get(key) ?? createBroker(start);
  brokers.set(key, known);
  return known;
}
