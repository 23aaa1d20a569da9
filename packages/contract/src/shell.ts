import type { ToolError } from "./tool-error.ts";

/** A program to run without a shell. */
export interface ProgramRun {
  /** The program's name and its arguments. A full path works if the grant allows reading it. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** Directories to search for the program before the system's. */
  readonly searchFirst?: readonly string[];
  /** Default: the first workspace root. */
  readonly cwd?: string;
  /** Standard input of the program. */
  readonly input?: Uint8Array | string;
  /** The program is stopped if it prints more bytes than this. */
  readonly maxOutputBytes?: number;
  /** Granted hosts that the program may reach. Default: none. */
  readonly hosts?: readonly string[];
  /** Granted directories that the program may write to. Default: all that are granted. */
  readonly writes?: readonly string[];
  /** Environment variables in addition to those that every program gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** See `CommandRun`. A program of which nothing is applied can't write where there are no layers. */
  readonly applies?: AppliedChanges;
}

/** Which changes of a program to the workspace are applied. */
export type AppliedChanges = "all" | "untracked" | "none";

/** The result of a program. */
export interface ProgramResult {
  /** `undefined` if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** A command line for the shell to run. */
export interface CommandRun {
  readonly command: string;
  /** Default: the first workspace root. */
  readonly cwd?: string;
  /** Time limit, regardless of output. Default: no limit. */
  readonly timeoutMs?: number;
  /** What happens at the time limit: the command goes on as a job, or is stopped. Default: as the session has it. */
  readonly onTimeout?: "background" | "stop";
  /**
   * Which changes to the workspace are applied: all; only caches and build output, which version
   * control ignores and which can't be undone; or none. Without layers, commands change the workspace
   * itself.
   * @default "all"
   */
  readonly applies?: AppliedChanges;
  /** Number of bytes to return from the start and from the end of the output. */
  readonly keep?: { readonly head: number; readonly tail: number };
  /** Whether standard error comes after standard output. Default: in the order in which they arrive. */
  readonly errorsLast?: boolean;
  /** Called with output as it is printed. */
  onOutput?(text: string): void;
}

/** A process that a command left running or that belongs to a job. */
export interface RunningProcess {
  /** The process ID as the command sees it. */
  readonly pid: number;
  readonly command: string;
  /** The ports it listens on. */
  readonly ports: readonly number[];
}

/** The output of a command: standard output and standard error in the order in which they arrived. */
export interface CommandOutput {
  readonly head: string;
  /** The end of the output. Empty if `head` holds all of it. */
  readonly tail: string;
  /** Number of bytes left out between head and tail. */
  readonly omittedBytes: number;
  readonly totalBytes: number;
}

/** The result of a command. A non-zero exit code is not an error. */
export interface CommandResult {
  /** `undefined` if a signal ended it or it goes on as a job. */
  readonly exitCode: number | undefined;
  readonly signal?: string;
  readonly output: CommandOutput;
  /** ID of the job as which it goes on, because it reached its time limit. */
  readonly jobId?: string;
  /** Processes that were still running when the shell ended, and were then stopped. */
  readonly leftRunning: readonly RunningProcess[];
  /** The prompt at which the command was stopped because it waited for input. */
  readonly waitedAt?: string;
  /** Hosts that the command tried to reach without a grant. */
  readonly refusedHosts: readonly string[];
  /** Other remarks, such as changes that were reverted. */
  readonly notes: readonly string[];
  /** What it changed. Absent if that is not known, because it ran on the workspace itself. */
  readonly changes?: readonly CommandChange[];
  /** The diff of what it changed, if that is short. */
  readonly diff?: string;
  /** What it changed that was not applied, because it was not approved. */
  readonly discarded?: DiscardedChanges;
}

/** Changes of a command that were not applied, because they were not approved. */
export interface DiscardedChanges {
  readonly changes: readonly Pick<CommandChange, "path" | "kind">[];
  /** The error that the call ends with. Absent if a person chose other changes to apply. */
  readonly error?: ToolError;
}

/** A change that a command made to a path. */
export interface CommandChange {
  /** Absolute. */
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted" | "renamed" | "mode";
  /** Its former path, if it was renamed. */
  readonly from?: string;
  /** Number of lines, if it is text. */
  readonly added?: number;
  readonly removed?: number;
  readonly undoable: boolean;
  /** Where the command's version is, if somebody else changed the path meanwhile: then it was not applied. */
  readonly keptAt?: string;
}

/** A command that runs in the background. */
export interface Job {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly state: "running" | "ended";
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why the job ended, if it neither exited by itself nor was stopped. */
  readonly reason?: string;
  /** Whether everything it changed can be undone. Absent while that is not known. */
  readonly reversible?: boolean;
  /** What it changed, if that is known: for a command that reached its time limit, once it has ended. */
  readonly changes?: readonly CommandChange[];
  /** Other remarks about its end. */
  readonly notes?: readonly string[];
  /** The processes of the job that are running now. */
  readonly processes: readonly RunningProcess[];
}

/** The output of a job from some point on. */
export interface JobOutput {
  readonly job: Job;
  readonly text: string;
  /** Number of bytes between `since` and the text that are no longer kept. */
  readonly omittedBytes: number;
  /** The `since` value for the next request. */
  readonly next: number;
}

/** What to wait for before a job's output is returned, and for how long. */
export interface JobWait {
  /** `output`: until there is output after `since`, or the job has ended. */
  readonly until: "exit" | "output";
  readonly maxMs: number;
}

/** The session's background commands. They end with the session. */
export interface Jobs {
  start(job: { readonly command: string; readonly cwd?: string }): Promise<Job>;
  list(): Promise<readonly Job[]>;
  /** Returns the output from byte `since` on, at once unless there is something to wait for. Default: all that is kept. */
  output(id: string, since?: number, wait?: JobWait): Promise<JobOutput>;
  /** Stops a job and all processes it started. */
  stop(id: string): Promise<Job>;
}

/** The programs that a tool can run: those in its grant. */
export interface Shell {
  /** Returns the full path of a program, or `undefined` if it is not installed. */
  find(program: string, searchFirst?: readonly string[]): Promise<string | undefined>;
  /** Runs a program and waits for it. A non-zero exit code is not an error. */
  run(program: ProgramRun): Promise<ProgramResult>;
  /**
   * Runs a command line and waits for it. Output that does not fit into the result goes to the call's
   * sidecar. Throws a `ToolError` (`timeout` or `cancelled`) with the output so far if it is stopped.
   * A command that goes on as a job has a `jobId` in its result.
   */
  execute(command: CommandRun): Promise<CommandResult>;
  readonly jobs: Jobs;
}
