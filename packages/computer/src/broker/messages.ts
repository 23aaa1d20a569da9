import type { LaunchPlan, LaunchReport } from "../sandbox/launch-plan.ts";

/** Requests to the broker, one line of JSON each. */
export type BrokerRequest =
  | ({ readonly type: "start" } & LaunchOrder)
  | { readonly type: "kill"; readonly run: number }
  | { readonly type: "look"; readonly run: number; readonly question: number };

/** A process to start. */
export interface LaunchOrder {
  readonly run: number;
  readonly plan: LaunchPlan;
  /** Set in the environment of everything the run starts, so that all of it can be found. */
  readonly marker: string;
  readonly pipes: RunPipes;
}

/** The named pipes, in the broker's directory, that serve as a run's standard streams. */
export interface RunPipes {
  readonly output: string;
  /** Default: the same pipe as the output, which keeps the order. */
  readonly errors?: string;
  /** Default: standard input is empty. */
  readonly input?: string;
}

/** Replies of the broker, one line of JSON each. */
export type BrokerReply =
  /** The number of pipes made so far; pipes are named by number. */
  | { readonly type: "pipes"; readonly directory: string; readonly made: number }
  | { readonly type: "started"; readonly run: number; readonly pid: number }
  /** The first process of the run's namespace is known, and may continue. */
  | { readonly type: "contained"; readonly run: number; readonly pid: number }
  | { readonly type: "refused"; readonly run: number; readonly reason: string }
  | ({ readonly type: "ended"; readonly run: number } & LaunchEnd)
  | { readonly type: "looked"; readonly question: number; readonly view: RunView };

/** How a run ended. None of its processes runs any more, except those listed. */
export interface LaunchEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Processes still running when the first process ended, or when all were killed. */
  readonly left: LaunchReport["left"];
  /** Processes that could not be ended. */
  readonly survivors: LaunchReport["left"];
}

/** What a run is doing. */
export interface RunView {
  readonly processes: LaunchReport["left"];
  /** Processor time so far, in system ticks. */
  readonly cpuTicks: number;
  /** One of its processes waits for input from a terminal. */
  readonly waitsForTerminal: boolean;
}
