import type { Artifact } from "./artifact.ts";
import type { InvocationMode } from "./runner.ts";

/** A line that a worker gets. The first is `hello`, the second `load`, then come any number of `run`. */
export type HostMessage = HelloMessage | LoadMessage | RunMessage;

export interface HelloMessage {
  readonly kind: "hello";
  /** What each line of the worker has to begin with, so that a tool can't speak for it. */
  readonly token: string;
}

export interface LoadMessage {
  readonly kind: "load";
  readonly artifact: Artifact;
}

export interface RunMessage {
  readonly kind: "run";
  /** Counts the invocations of a worker. They are run and answered strictly in this order. */
  readonly number: number;
  /**
   * The moment of the machine's steady clock, in milliseconds, from which on it may no longer be
   * begun: then it is given back. Whoever sent it can tell by the clock alone that it will not be.
   */
  readonly lease?: number;
  readonly invocationId: string;
  readonly toolVersion: string;
  readonly mode: InvocationMode;
  readonly input: unknown;
  /** As the last time unless said. */
  readonly config?: Readonly<Record<string, string>>;
  readonly conversation?: unknown;
  readonly userVariables?: Readonly<Record<string, string>>;
  readonly sensitiveUserVariables?: Readonly<Record<string, string>>;
  /** Whether nobody wants to know what it prints. */
  readonly isQuiet?: true;
}

/** What was thrown. */
export interface Failure {
  readonly type: string;
  readonly message: string;
  readonly stack: readonly string[];
}

/** A line that a worker writes, after the token. */
export type WorkerMessage =
  | { readonly kind: "ready" }
  | ({ readonly kind: "result"; readonly number: number; readonly output: string } & Ending)
  | ({ readonly kind: "failure"; readonly number: number; readonly failure: Failure } & Ending)
  /** It was not begun, and never will be by this worker. */
  | { readonly kind: "returned"; readonly number: number }
  /** The last invocation left something behind. Nothing was begun since, and nothing will be. */
  | { readonly kind: "unclean"; readonly reason: string }
  | { readonly kind: "status"; readonly number: number; readonly event: unknown }
  | { readonly kind: "log"; readonly number: number; readonly text: string };

interface Ending {
  readonly ms: number;
  /** The worker's memory, said now and then. */
  readonly residentMb?: number;
}
