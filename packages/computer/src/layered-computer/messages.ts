import type {
  CommandChange,
  FileSystem,
  GrantLocations,
  Isolation,
  Jobs,
  Shell,
  ToolErrorOptions,
} from "@haft/contract";
import type { FileRules, Journal } from "@haft/core";
import type { DiskComputerOptions } from "../disk/disk-computer-options.ts";

/** The parts of a computer that are on the layer, and their methods. All of them return promises. */
export interface RemoteParts {
  readonly files: Omit<FileSystem, "resolve">;
  readonly shell: Omit<Shell, "jobs">;
  readonly jobs: Jobs;
  readonly history: Pick<Journal, "latest">;
}

/** The methods of each part. */
export const remoteMethods: {
  readonly [Part in keyof RemoteParts]: Readonly<Record<keyof RemoteParts[Part], true>>;
} = {
  files: {
    stat: true,
    read: true,
    load: true,
    write: true,
    splice: true,
    list: true,
    remove: true,
    move: true,
    change: true,
    findFiles: true,
    findText: true,
  },
  shell: { find: true, run: true, execute: true },
  jobs: { start: true, list: true, output: true, stop: true },
  history: { latest: true },
};

/** A request to call a method for a call of the session. */
export interface RemoteRequest {
  readonly type: "request";
  readonly id: number;
  readonly part: keyof RemoteParts;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly callId: string;
  readonly session: string;
  readonly places: GrantLocations;
  readonly fileRules: FileRules | undefined;
}

/** What the process on a layer starts with. */
export interface LayerProcessOptions {
  readonly computer: DiskComputerOptions;
  /** A directory for what is needed only as long as the layer. */
  readonly directory: string;
}

/** What Haft sends to the process on the layer. */
export type MessageToLayer =
  | { readonly type: "open"; readonly options: LayerProcessOptions }
  | RemoteRequest
  | { readonly type: "abort"; readonly id: number; readonly reason: RemoteError };

/** The answer to a request. */
export type MessageFromLayer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: RemoteError };

/** An error as it is sent. Without a code it is a bug. */
export interface RemoteError extends Omit<ToolErrorOptions, "cause"> {
  readonly code?: string;
  readonly message: string;
}

/**
 * What the process on the layer asks Haft about a running request, and waits for: grants, rules and
 * secrets are Haft's. An answer may be a promise.
 */
export interface ScopeQuestions {
  judgeReading(paths: readonly string[]): readonly ReadingJudgement[];
  mayWrite(path: string): boolean;
  mayReach(host: string): boolean;
  mayRun(argv: readonly string[]): boolean;
  has(capability: string): boolean;
  isWriteDenied(path: string): boolean;
  isNamed(path: string): boolean;
  isChangeDenied(path: string): boolean;
  changed(path: string): void;
  /** What a file held before its first change. */
  base(path: string, content: Uint8Array): void;
  confined(isolation: Isolation): void;
  commandEnded(changes: readonly CommandChange[] | undefined): void;
  warn(message: string): void;
  output(text: string): void;
  hide(text: string): string;
  /** Returns the number of a new filter of secrets. */
  openFilter(): number;
  filter(filter: number, part: string): string;
  endFilter(filter: number): string;
  writeSidecar(part: Uint8Array | string): Promise<void>;
  endSidecar(): Promise<string>;
  discardSidecar(): Promise<void>;
}

/** Whether the grant covers reading a path, and whether a rule denies it. */
export type ReadingJudgement = readonly [mayRead: boolean, isDenied: boolean];

/** A question about a request. */
export interface Question {
  readonly id: number;
  readonly method: keyof ScopeQuestions;
  readonly args: readonly unknown[];
}

/** The answer to a question. */
export type Answer = { readonly value: unknown } | { readonly error: RemoteError };
