import type { PathState } from "./file-system.ts";

/** A change that a call of this session made. */
export interface PastChange {
  /** ID of the change, for `PathChange.undoes`. */
  readonly id: string;
  readonly callId: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly before: PathState;
  readonly after: PathState;
  /** Other paths that changed in the same step, such as the other end of a move. */
  readonly together?: readonly string[];
  /** The version of the path, or `absent`, if it is known to be exactly as the change left it. */
  readonly version?: string;
}

/** A call that changed something. */
export interface PastCall {
  /** ID of the call in this session's history, unique across processes. */
  readonly id: string;
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly tool?: string;
  /** What the call was made for, such as a command. */
  readonly title?: string;
  /** Whether it undid other changes. */
  readonly isUndo: boolean;
  /** The paths that it changed. */
  readonly paths: readonly string[];
  /** Its changes, newest first. */
  changes(): readonly PastChange[];
}

/** The changes of this session's calls that have not been undone. */
export interface ChangeHistory {
  /** Returns the latest change of a path. Without a path: all changes of the latest call that made any, newest first. */
  latest(path?: string): Promise<readonly PastChange[]>;
  /** Returns the calls whose changes stand, and the undos that were not redone, newest first. */
  calls?(): Promise<readonly PastCall[]>;
}
