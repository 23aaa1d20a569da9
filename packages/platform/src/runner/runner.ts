import type { JsonObject } from "../json.ts";

/** How a published tool is invoked: for real, or without consequences. */
export type InvocationMode = "regular" | "conversation-simulation";

/** One version of a tool, as far as it matters to run it. */
export interface ToolProgram {
  readonly organization: string;
  readonly toolId: string;
  /** `1.2.3`, or what a test calls it. */
  readonly version: string;
  readonly runtime: "node" | "python";
  /** Of the artifact; sandboxes are shared only by calls of one organization and one digest. */
  readonly digest: string;
  /** Gets the artifact. Asked for once per sandbox at most. */
  load(): Promise<Uint8Array>;
  readonly allowedHosts: readonly string[];
  readonly simulationHosts: readonly string[];
  readonly timeoutMs: number;
  readonly memoryMb: number;
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
  /** What the tool prints, cut. */
  onLog?(line: string): void;
  readonly signal?: AbortSignal;
}

/** How an invocation ended. */
export type ToolRunResult =
  | { readonly succeeded: true; readonly output: string; readonly durationMs: number }
  | {
      readonly succeeded: false;
      readonly exceptionType: string;
      readonly exceptionMessage: string;
      readonly exceptionStackTrace: readonly string[];
      readonly durationMs: number;
    };

/** Runs published tools in sandboxes. */
export interface Runner {
  /** Never rejects: whatever happens to the tool or its sandbox is a result. */
  run(program: ToolProgram, run: ToolRun): Promise<ToolRunResult>;
  /** What is going on, for health and metrics. */
  stats(): RunnerStats;
  /** Waits for what runs, then ends every sandbox; after `graceMs` what still runs fails. */
  close(graceMs: number): Promise<void>;
}

export interface RunnerStats {
  readonly workers: number;
  readonly blank: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Output longer than this is an error. */
export const mostOutputCharacters = 20_000;
