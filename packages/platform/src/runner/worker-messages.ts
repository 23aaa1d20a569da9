import type { Artifact } from "./artifact.ts";
import type { PrintedStream } from "./printed-output.ts";
import type { JournalState, StepResult, Wait } from "./run-journal.ts";
import type { InvocationMode } from "./runner.ts";

/**
 * A line to a worker. The first is `hello`, the second `load`, then any number of `run` follow, and
 * `journal` while an invocation with a journal runs.
 */
export type HostMessage = HelloMessage | LoadMessage | RunMessage | JournalMessage;

export interface HelloMessage {
  readonly kind: "hello";
  /** Each line of the worker starts with this token, so that a tool can't forge one. */
  readonly token: string;
}

export interface LoadMessage {
  readonly kind: "load";
  readonly artifact: Artifact;
  /** Whether invocations share the tool's modules and all that they change. */
  readonly isReused: boolean;
  /** Set if it has no network: what errors say after the name of a host. */
  readonly refusal?: string;
}

export interface RunMessage {
  readonly kind: "run";
  /** The number of the invocation. A worker runs and answers strictly in this order. */
  readonly number: number;
  /**
   * The time on the machine's monotonic clock, in milliseconds, from which on the worker may no longer
   * begin it and returns it. So the server knows by the clock alone that it will not begin.
   */
  readonly lease?: number;
  readonly invocationId: string;
  readonly toolVersion: string;
  readonly mode: InvocationMode;
  readonly input: unknown;
  /** Default: the same as for the last invocation. */
  readonly config?: Readonly<Record<string, string>>;
  readonly conversation?: unknown;
  readonly userVariables?: Readonly<Record<string, string>>;
  readonly sensitiveUserVariables?: Readonly<Record<string, string>>;
  /** Present if the invocation can wait and continue. */
  readonly journal?: Omit<JournalState, "attempt">;
}

/** The beginning or the end of a step is durable. */
export interface JournalMessage {
  readonly kind: "journal";
  readonly number: number;
  readonly position: number;
  /** The result that was recorded, for the end of a step. */
  readonly result?: StepResult;
}

/** A description of a thrown value. */
export interface Failure {
  readonly type: string;
  readonly message: string;
  readonly stack: readonly string[];
}

/** A line from a worker, after the token. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  | ({ readonly kind: "result"; readonly number: number; readonly output: string } & Ending)
  | ({ readonly kind: "failure"; readonly number: number; readonly failure: Failure } & Ending)
  /** The invocation was not begun and never will be by this worker. */
  | { readonly kind: "returned"; readonly number: number }
  /** The last invocation left something behind. Nothing was begun since, and nothing will be. */
  | { readonly kind: "unclean"; readonly reason: string }
  | { readonly kind: "status"; readonly number: number; readonly event: unknown }
  /** A step is about to begin, or has ended. The worker goes on when the server has recorded it. */
  | {
      readonly kind: "step-begin";
      readonly number: number;
      readonly position: number;
      readonly name: string;
      readonly isRepeatable: boolean;
    }
  | {
      readonly kind: "step-end";
      readonly number: number;
      readonly position: number;
      readonly result: StepResult;
    }
  /** The invocation waits, and this worker has dropped it. */
  | ({
      readonly kind: "suspended";
      readonly number: number;
      readonly waits: readonly Wait[];
    } & Ending)
  | {
      readonly kind: "log";
      readonly number: number;
      readonly stream: PrintedStream;
      readonly text: string;
      /** The number of characters that were left out before it. */
      readonly skipped?: number;
    };

/** How long an invocation took, and what its worker is like. */
export interface Ending {
  readonly ms: number;
  /** How much of that time it waited for the processor, if that is known. */
  readonly delayMs?: number;
  /** The worker's memory, reported now and then. */
  readonly residentMb?: number;
}
