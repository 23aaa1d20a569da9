import type { JsonObject } from "../json.ts";
import type { PrintedOutput } from "./printed-output.ts";
import type { RunJournal, Wait } from "./run-journal.ts";

/** How a tool is invoked: for real, or as a simulation without side effects. */
export type InvocationMode = "regular" | "conversation-simulation";

/** What the runner needs to know about a version of a tool. */
export interface ToolProgram {
  readonly organization: string;
  readonly toolId: string;
  /** The tool's name, for messages to its author. */
  readonly name: string;
  /** A version such as `1.2.3`, or a label for a test run. */
  readonly version: string;
  readonly runtime: "node" | "python";
  /** The artifact's digest. Only calls of the same organization and digest share a sandbox. */
  readonly digest: string;
  /** Returns the artifact. Called at most once per sandbox. */
  load(): Promise<Uint8Array>;
  readonly allowedHosts: readonly string[];
  readonly simulationHosts: readonly string[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** `process` if invocations may share state. Default: each starts without any. */
  readonly reuse?: "process";
  /** Whether its invocations have a journal. Their sandboxes run nothing else. */
  readonly isDurable?: true;
}

/** One invocation. */
export interface ToolRun {
  readonly invocationId: string;
  readonly mode: InvocationMode;
  readonly input: JsonObject;
  /** The tool's variables, plain and secret, by name. */
  readonly config: Readonly<Record<string, string>>;
  readonly conversation: JsonObject | null;
  readonly userVariables: Readonly<Record<string, string>>;
  readonly sensitiveUserVariables: Readonly<Record<string, string>>;
  onStatus?(event: unknown): void;
  /** Values to mask in what the tool prints, besides its sensitive user variables. */
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
  /** Lets the tool wait without a process, and continue. Default: it can't wait for long. */
  readonly journal?: RunJournal;
}

/** How an invocation ended. */
export type ToolRunResult = {
  /** What the tool printed, if anything. */
  readonly printed?: PrintedOutput;
} & (
  | { readonly succeeded: true; readonly output: string; readonly durationMs: number }
  | {
      readonly succeeded: false;
      readonly exceptionType: string;
      readonly exceptionMessage: string;
      readonly exceptionStackTrace: readonly string[];
      readonly durationMs: number;
      /** Present if the tool has not ended: it waits for these. */
      readonly waits?: readonly Wait[];
      /** Present if not the tool ended the run, so that it can continue from its journal. */
      readonly isInterrupted?: true;
      /** Present if the tool was not even started. */
      readonly hasNotBegun?: true;
    }
);

/** Runs published tools in sandboxes. */
export interface Runner {
  /** Never rejects: a failure of the tool or its sandbox is a result. */
  run(program: ToolProgram, run: ToolRun): Promise<ToolRunResult>;
  /** Returns the current load, for health checks and metrics. */
  stats(): RunnerStats;
  /**
   * Waits for running invocations, then ends every sandbox. Those that run after `graceMs` fail.
   */
  close(graceMs: number): Promise<void>;
}

export interface RunnerStats {
  readonly workers: number;
  readonly blank: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Output longer than this is an error. */
export const maxOutputCharacters = 20_000;
