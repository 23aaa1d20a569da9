import type { Isolation } from "@haft/contract";
import type { SandboxLimits } from "../sandbox/sandbox.ts";
import type { SandboxMode } from "./confine-run.ts";

/** A program to start and communicate with, such as an MCP server. Paths are absolute. */
export interface ProgramStart {
  /** The program's name or path, and its arguments. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** Working directory. Default: the first workspace root. */
  readonly cwd?: string;
  /**
   * Variables in addition to those that every program gets; a bare computer starts with none. In a sandbox
   * its home is empty, unless `HOME` here lies below `writes`.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** Directories that it may read in addition to the workspace and what every program needs. */
  readonly reads?: readonly string[];
  /** Directories in these that appear empty, except for other `reads` inside them. */
  readonly hides?: readonly string[];
  /** Directories that it may write below. Default: the workspace. */
  readonly writes?: readonly string[];
  /** Hosts that it may reach, `HOST` or `HOST:PORT`, including private ones. Default: none. */
  readonly hosts?: readonly string[];
  /** Whether its hosts' private addresses are refused even if named. Default: false. */
  readonly onlyPublic?: boolean;
  /** What it is told after the name of a host that is not among its hosts, such as the remedy. */
  readonly refusal?: string;
  /** Resource limits, if lower than those of commands. Only a sandbox enforces them. */
  readonly limits?: Partial<SandboxLimits>;
  /** Default: the computer's setting. */
  readonly sandbox?: SandboxMode;
  /** Whether the program is untrusted: then it runs without a sandbox only if that was chosen explicitly. */
  readonly isUntrusted?: boolean;
  /**
   * Receives standard output as it arrives. While its promise is pending, the program waits; if it
   * rejects, the program is stopped.
   */
  onOutput(bytes: Uint8Array): undefined | Promise<void>;
  onErrors(bytes: Uint8Array): undefined | Promise<void>;
}

/** A started program. Nothing of it outlives this process. */
export interface StartedProgram {
  /** Its sandbox. */
  readonly isolation: Isolation;
  /** Why it has no sandbox, where it should have one. */
  readonly warning: string | undefined;
  /** Resolves when more can be written; rejects once the program has ended. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Closes its standard input. */
  endInput(): void;
  /**
   * Ends it with everything that it started, even if output is still unread; resolves when none of
   * its processes runs any more.
   */
  stop(): Promise<void>;
  /** Resolves when all of it has ended. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** Refused hosts that it tried to reach. */
  refusedHosts(): readonly string[];
  /** Whether it keeps this process alive. Default: no. */
  keepAlive(isNeeded: boolean): void;
}

/** How a program ended. */
export interface ProgramEnd {
  /** `undefined` if a signal ended it, or it never ran. */
  readonly exitCode: number | undefined;
  readonly signal?: string | undefined;
  /** What was removed again, or went wrong. */
  readonly notes: readonly string[];
}
