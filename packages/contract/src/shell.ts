/** A program to run, without a shell in between. */
export interface ProgramRun {
  /** The program's name, or its path in full where the grant lets that be read, and its arguments. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** Directories to look for the program in before those of the system. */
  readonly searchFirst?: readonly string[];
  /** The first workspace root unless said. */
  readonly cwd?: string;
  /** What the program reads from its standard input, which is then closed. */
  readonly input?: Uint8Array | string;
  /** More output than this many bytes ends the program. */
  readonly maxOutputBytes?: number;
  /** Hosts that the program may reach, each of them granted; none unless said. */
  readonly hosts?: readonly string[];
  /** Directories that it may write below, each of them granted; all that is granted unless said. */
  readonly writes?: readonly string[];
  /** Variables beside those of the scrubbed environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a program ended. */
export interface ProgramResult {
  /** `undefined` if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** A command line for the shell to run. */
export interface CommandRun {
  readonly command: string;
  /** The first workspace root unless said. */
  readonly cwd?: string;
  /** Ends the command after so long, whatever it prints; no limit unless said. */
  readonly timeoutMs?: number;
  /** How many bytes of the output to hand over, from its start and from its end. */
  readonly keep?: { readonly head: number; readonly tail: number };
  /** Is told of output as it comes. */
  onOutput?(text: string): void;
}

/** A process that a command left behind, or a job keeps. */
export interface RunningProcess {
  /** As the command itself would know it. */
  readonly pid: number;
  readonly command: string;
  /** The ports it listens on. */
  readonly ports: readonly number[];
}

/** What a command printed, standard output and error in the order in which they came. */
export interface CommandOutput {
  readonly head: string;
  /** What came last; empty if all of it is in the head. */
  readonly tail: string;
  /** How many bytes are missing between the two. */
  readonly omittedBytes: number;
  readonly totalBytes: number;
}

/** How a command ended. What it printed and returned is information, not an error. */
export interface CommandResult {
  /** `undefined` if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signal?: string;
  readonly output: CommandOutput;
  /** What was still running when the shell ended. It no longer is. */
  readonly leftRunning: readonly RunningProcess[];
  /** The prompt at which the command was ended, because it waited for a person. */
  readonly waitedAt?: string;
  /** The hosts that it tried to reach and may not. */
  readonly refusedHosts: readonly string[];
  /** What was taken away again, or is otherwise worth knowing. */
  readonly notes: readonly string[];
}

/** A command that goes on in the background. */
export interface Job {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly state: "running" | "ended";
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Why it ended, where neither it itself nor a stop was the reason. */
  readonly reason?: string;
  /** What runs in it now. */
  readonly processes: readonly RunningProcess[];
}

/** What a job printed since some point of its output. */
export interface JobOutput {
  readonly job: Job;
  readonly text: string;
  /** Bytes between `since` and the text that are no longer kept. */
  readonly omittedBytes: number;
  /** What to give as `since` next time. */
  readonly next: number;
}

/** The session's background commands. They end with the session. */
export interface Jobs {
  start(job: { readonly command: string; readonly cwd?: string }): Promise<Job>;
  list(): Promise<readonly Job[]>;
  /** Output from byte `since` on; all that is kept unless said. */
  output(id: string, since?: number): Promise<JobOutput>;
  /** Ends a job with everything it started. */
  stop(id: string): Promise<Job>;
}

/** The programs a tool can run: those that its grant names. */
export interface Shell {
  /** The full path of a program, or `undefined` if it is not installed. */
  find(program: string, searchFirst?: readonly string[]): Promise<string | undefined>;
  /** Runs a program to its end. What it prints and returns is information, not an error. */
  run(program: ProgramRun): Promise<ProgramResult>;
  /**
   * Runs a command line to its end. What did not fit into the result is in the call's sidecar. A
   * command that is stopped is a `ToolError` (`timeout`, `cancelled`) with what it had printed.
   */
  execute(command: CommandRun): Promise<CommandResult>;
  readonly jobs: Jobs;
}
