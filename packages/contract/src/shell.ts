/** A program to run, without a shell in between. */
export interface ProgramRun {
  /** The program's name and its arguments. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** Directories to look for the program in before those of the system. */
  readonly searchFirst?: readonly string[];
  /** The first workspace root unless said. */
  readonly cwd?: string;
  /** What the program reads from its standard input, which is then closed. */
  readonly input?: Uint8Array | string;
  /** More output than this many bytes ends the program. */
  readonly maxOutputBytes?: number;
}

/** How a program ended. */
export interface ProgramResult {
  /** `undefined` if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** The programs a tool can run: those that its grant names. */
export interface Shell {
  /** The full path of a program, or `undefined` if it is not installed. */
  find(program: string, searchFirst?: readonly string[]): Promise<string | undefined>;
  /** Runs a program to its end. What it prints and returns is information, not an error. */
  run(program: ProgramRun): Promise<ProgramResult>;
}
