import type { PathState } from "./file-system.ts";

/** One change that a call of this session made. */
export interface PastChange {
  /** Names the change in `PathChange.undoes`. */
  readonly id: string;
  readonly callId: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly before: PathState;
  readonly after: PathState;
  /** Other paths that changed in the same step, such as the other end of a move. */
  readonly together?: readonly string[];
}

/** What the calls of this session changed and nobody has taken back yet. */
export interface ChangeHistory {
  /** The latest change of a path, or all changes of the latest call that made any; newest first. */
  latest(path?: string): Promise<readonly PastChange[]>;
}
