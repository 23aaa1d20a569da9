import type { FileSystem, Grant, Isolation, Net, Shell, Variables } from "@haft/contract";
import type { CommandReading } from "./commands/command-reading.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { Journal } from "./session/journal.ts";
import type { SessionStorage, SidecarWriter } from "./session/session-storage.ts";

/** What a computer is told about the call that will use it. */
export interface CallScope {
  readonly callId: string;
  readonly grant: Grant;
  /** Is told of every change before it takes effect, so that it can be undone. */
  readonly journal: Journal;
  /** Is told of every file that the call changed. */
  changed(path: string): void;
  /** Whether a rule denies to read, or to write, a path that the call itself did not name. */
  isDenied(path: string, mode: "read" | "write"): boolean;
  /** Whether a rule of a person's own allows exactly this path to be changed, protected or not. */
  isNamed(path: string): boolean;
  /** Fires when the call is to stop. */
  readonly signal: AbortSignal;
}

/** What a computer is told about a call that runs programs or reaches the net. */
export interface RunScope extends CallScope {
  /** The session's name, as `openSession` knows it. */
  readonly session: string;
  /** What must not be shown, and how it is kept from being shown. */
  readonly secrets: Secrets;
  /** Is told what confines a program that the call runs, before it runs. */
  confined(isolation: Isolation): void;
  /** Opens the file that keeps what does not fit into the call's result. */
  openSidecar(): SidecarWriter;
  /** Is told of what went wrong beside the work itself. */
  warn(message: string): void;
}

/** Lets go of files that were held. */
export type Release = () => void;

/** The capability surface that tools run on: a real machine, or one in memory. */
export interface Computer {
  /** Computers with the same space see the same files; locks are kept per space. */
  readonly space: object;
  /** The workspace roots, absolute and with links resolved. */
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** What the variables in requirement sets stand for here. */
  readonly variables: Variables;
  /** What confines a tool that runs in this process. */
  readonly isolation: Isolation;
  /** The absolute form of a path, nothing looked up. */
  resolve(path: string): string;
  /** Where a path lands after links, so that two names of one file are known as one. */
  identify(path: string): string;
  /** The files, scoped to one call. */
  openFiles(scope: CallScope): FileSystem;
  /** The programs, scoped to one call. */
  openShell(scope: RunScope): Shell;
  /** The net, scoped to one call. */
  openNet(scope: RunScope): Net;
  /**
   * Finds out what confines programs and makes ready to read commands. `undefined` once that is
   * done, so that later calls need not wait.
   */
  prepareShell(): undefined | Promise<void>;
  /** What will confine programs that tools run; known once the shell is prepared. */
  readonly shellIsolation: Isolation;
  /** What a command line would do if it were run in a directory; known once the shell is prepared. */
  readCommand(command: string, cwd: string): CommandReading;
  /** Whether a file is of a kind that holds secrets, by its name. */
  isSecret(path: string): boolean;
  /** Values that tools may use but nobody is to see, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Keeps other processes from changing files at the same time. `undefined` where no other process
   * sees these files; else what lets go of them again.
   */
  holdFiles(
    paths: readonly string[],
    holder: { readonly signal: AbortSignal },
  ): undefined | Release | Promise<Release>;
  /** The session of this name, new or as it was left. */
  openSession(name: string): SessionStorage;
}
