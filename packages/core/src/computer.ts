import type {
  CommandChange,
  DiscardedChanges,
  FileSystem,
  Grant,
  Isolation,
  Job,
  Net,
  ResourceKey,
  Shell,
  Variables,
} from "@haft/contract";
import type { CommandReading } from "./commands/command-reading.ts";
import type { FileRules } from "./rules/file-rules.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { OutlivingCommand } from "./session/background-runs.ts";
import type { Journal } from "./session/journal.ts";
import type { SessionStorage, SidecarWriter } from "./session/session-storage.ts";

/** The call for which files are opened. */
export interface CallScope {
  readonly callId: string;
  readonly grant: Grant;
  /** Records every change before it takes effect, so that it can be undone. */
  readonly journal: Journal;
  /** Called for every file that the call changed. */
  changed(path: string): void;
  /** Tells whether a rule denies access to a path, which may be one that the call did not name itself. */
  isDenied(path: string, mode: "read" | "write"): boolean;
  /** Tells whether a user's own rule allows changing exactly this path, even if it is protected. */
  isNamed(path: string): boolean;
  /** Fires when the call must stop. */
  readonly signal: AbortSignal;
}

/** The call for which a shell or network access is opened. */
export interface RunScope extends CallScope {
  /** The session's name, as in `openSession`. */
  readonly session: string;
  /** Hides secrets in output. */
  readonly secrets: Secrets;
  /** Called before a program runs, with what confines it. */
  confined(isolation: Isolation): void;
  /** Tells whether a rule denies that a program changes a path: one on `fs.write` or on `write`. */
  isChangeDenied(path: string): boolean;
  /**
   * The command was not approved in advance, because its changes are judged when it has ended. It may
   * run only on a layer and without network.
   */
  readonly isReviewed: boolean;
  /**
   * Judges what a command changed on its layer, before anything is applied, and asks a person if
   * necessary. Returns `undefined` if everything may be applied that no rule denies.
   */
  reviewEffects(effects: readonly LayerEffect[]): undefined | Promise<EffectReview>;
  /** Returns the rules on files that programs of the call obey; `undefined` if they deny nothing. */
  fileRules(): FileRules | undefined;
  /** Called when a command has ended, with what it changed; `undefined` if that is not known. */
  commandEnded(
    changes: readonly CommandChange[] | undefined,
    discarded?: DiscardedChanges["changes"],
  ): void;
  /** What happens to a command at its time limit, unless the call says otherwise. */
  readonly onTimeout: "background" | "stop";
  /**
   * Called when a command goes on although its call returns. Until it has ended, its changes may still
   * be applied as those of the call, and nothing else.
   */
  outlive(command: OutlivingCommand): void;
  /** Called when a background job of the call has ended. The model is told at its next step. */
  jobEnded(job: Job): void;
  /** Called when the call's result shows that a job has ended: the model need not be told again. */
  jobSeen(id: string): void;
  /** Keeps other calls and processes from changing files at the same time. */
  holdFiles(paths: readonly string[]): Promise<Release>;
  /** Opens the sidecar for output that does not fit into the call's result. */
  openSidecar(): SidecarWriter;
  /** Reports a problem that does not fail the call. */
  warn(message: string): void;
}

/** A change that a command made on its layer and that is not applied yet. */
export interface LayerEffect {
  /** The absolute path, with links resolved. */
  readonly path: string;
  readonly kind: Exclude<CommandChange["kind"], "renamed">;
  readonly isDirectory: boolean;
  /** Returns its diff under a name, if it is text of moderate size that may be shown. */
  diff(name: string): string | undefined;
}

/** Which changes of a command are applied. */
export interface EffectReview {
  mayApply(change: Pick<LayerEffect, "path" | "kind">): boolean;
  readonly discarded: DiscardedChanges;
}

/** Releases held files. */
export type Release = () => void;

/** The machine that tools run on: a real one, or one in memory. */
export interface Computer {
  /** Computers with the same space share files and locks. */
  readonly space: object;
  /** The workspace roots, absolute and with links resolved. */
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** The values of the variables in requirement sets. */
  readonly variables: Variables;
  /** What confines a tool that runs in this process. */
  readonly isolation: Isolation;
  /** Returns the absolute form of a path without accessing the disk. */
  resolve(path: string): string;
  /** Returns the path after following links, so that two names of one file are recognised. */
  identify(path: string): string;
  /**
   * Returns the version of a regular file, which changes with every change of the file, or `undefined` if there is
   * no such file. Default: versions are not known.
   */
  versionOf?(path: string): string | undefined;
  /** Opens the files for one call. */
  openFiles(scope: CallScope): FileSystem;
  /** Opens the shell for one call. */
  openShell(scope: RunScope): Shell;
  /** Opens network access for one call. */
  openNet(scope: RunScope): Net;
  /**
   * Detects what confines programs and loads the command parser. Returns `undefined` once that is
   * done, so that later calls need not wait.
   */
  prepareShell(): undefined | Promise<void>;
  /** What confines programs that tools run. Valid after `prepareShell`. */
  readonly shellIsolation: Isolation;
  /**
   * Tells whether a command of a session would run on a layer and in a network of its own, so that it
   * reaches nothing until its changes are applied. Valid after `prepareShell`. Default: no.
   */
  canReview?(session: string): Promise<boolean>;
  /** Analyses what a command line would do in a directory. Valid after `prepareShell`. */
  readCommand(command: string, cwd: string): CommandReading;
  /**
   * Checks a declared use as at the time of use, without using anything. Throws the refusal. Returns
   * what can be known only at the time of use, such as the address of a host, or `undefined`.
   */
  judgeUse(use: ResourceKey, scope: RunScope): Promise<string | undefined>;
  /** Tells by its name whether a file usually holds secrets. */
  isSecret(path: string): boolean;
  /** Values by name that tools may use but that must not be shown. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Keeps other processes from changing files at the same time. Returns `undefined` if no other
   * process sees these files.
   */
  holdFiles(
    paths: readonly string[],
    holder: { readonly signal: AbortSignal },
  ): undefined | Release | Promise<Release>;
  /**
   * Tells the computer the rules on files of an open session, for programs that no call starts, such as
   * MCP servers. Returns what ends that.
   */
  followRules?(current: () => FileRules | undefined): Release;
  /** Opens the session with this name, or creates it. */
  openSession(name: string): SessionStorage;
}
