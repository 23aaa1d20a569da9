import type { LaunchPlan, LaunchReport } from "../sandbox/launch-plan.ts";

/** What the broker is asked, one line of JSON each. */
export type BrokerRequest =
  | ({ readonly type: "start" } & LaunchOrder)
  | { readonly type: "kill"; readonly run: number }
  | { readonly type: "look"; readonly run: number; readonly question: number };

/** A process to start. */
export interface LaunchOrder {
  readonly run: number;
  readonly plan: LaunchPlan;
  /** Is in the environment of whatever the run starts, so that all of it is found again. */
  readonly marker: string;
  readonly pipes: RunPipes;
}

/** The named pipes, in the broker's directory, that a run's standard streams are. */
export interface RunPipes {
  readonly output: string;
  /** The same as the output unless said, so that what is printed keeps its order. */
  readonly errors?: string;
  /** Standard input is empty unless said. */
  readonly input?: string;
}

/** What it answers, one line of JSON each. */
export type BrokerReply =
  /** So many pipes were made so far, named by their numbers. */
  | { readonly type: "pipes"; readonly directory: string; readonly made: number }
  | { readonly type: "started"; readonly run: number; readonly pid: number }
  /** The first process of the run's namespace is known, and may go on. */
  | { readonly type: "contained"; readonly run: number; readonly pid: number }
  | { readonly type: "refused"; readonly run: number; readonly reason: string }
  | ({ readonly type: "ended"; readonly run: number } & LaunchEnd)
  | { readonly type: "looked"; readonly question: number; readonly view: RunView };

/** How a run ended. Nothing of it runs any more, but for what is told. */
export interface LaunchEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** What was still running when its first process ended, or when all were made to. */
  readonly left: LaunchReport["left"];
  /** What could not be ended. */
  readonly survivors: LaunchReport["left"];
}

/** What a run is doing. */
export interface RunView {
  readonly processes: LaunchReport["left"];
  /** Processor time so far, in the system's own measure. */
  readonly cpuTicks: number;
  /** One of its processes waits for somebody at a terminal to type. */
  readonly waitsForTerminal: boolean;
}
