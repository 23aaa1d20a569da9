import type { Isolation } from "@haft/contract";
import type { SandboxLimits } from "../sandbox/sandbox.ts";
import type { SandboxMode } from "./confine-run.ts";

/** A program to start and to talk with, such as a server of tools. Paths are absolute. */
export interface ProgramStart {
  /** The program's name or path, and its arguments. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** The first workspace root unless said. */
  readonly cwd?: string;
  /**
   * Variables beside those of the scrubbed environment. In a sandbox its home is an empty one, unless
   * `HOME` here lies below `writes`.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether it gets nothing of this process's environment but the search path. */
  readonly startsBare?: boolean;
  /** Directories that it may read beside the workspace and what every program needs. */
  readonly reads?: readonly string[];
  /** Directories that it may write below: the workspace unless said. */
  readonly writes?: readonly string[];
  /** Hosts that it may reach, `HOST` or `HOST:PORT`, private ones too; none unless said. */
  readonly hosts?: readonly string[];
  /** Whether its hosts' private addresses are not reached even if named; they are unless said. */
  readonly onlyPublic?: boolean;
  /** How much it may use, where that is less than commands may. Only a sandbox holds to it. */
  readonly limits?: Partial<SandboxLimits>;
  /** As the computer does it unless said. */
  readonly sandbox?: SandboxMode;
  /** Whether nobody vouches for it: then it goes without a sandbox only where that was given up. */
  readonly isUntrusted?: boolean;
  /**
   * Takes standard output as it comes. While its promise is pending, the program has to wait; if it
   * fails, the program is stopped.
   */
  onOutput(bytes: Uint8Array): undefined | Promise<void>;
  onErrors(bytes: Uint8Array): undefined | Promise<void>;
}

/** A program that was started. Nothing of it outlives this process. */
export interface StartedProgram {
  /** What confines it. */
  readonly isolation: Isolation;
  /** Why it is not confined, where it should have been. */
  readonly warning: string | undefined;
  /** Resolves when more can be taken; rejects once the program has ended. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Closes its standard input. */
  endInput(): void;
  /**
   * Ends it with all that it started, whatever of its output is still to be taken; resolves when
   * nothing of it runs any more.
   */
  stop(): Promise<void>;
  /** All of it has ended, by itself or not. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** The hosts that it tried to reach and may not. */
  refusedHosts(): readonly string[];
  /** Whether this process stays for it: no unless said. */
  keepAlive(isNeeded: boolean): void;
}

/** How a program ended. */
export interface ProgramEnd {
  /** `undefined` if a signal ended it, or it never ran. */
  readonly exitCode: number | undefined;
  readonly signal?: string | undefined;
  /** What was taken away again, or went wrong. */
  readonly notes: readonly string[];
}
