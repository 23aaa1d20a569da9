import type { ChangeHistory, PathState } from "@haft/contract";

/** One change at one path. */
export interface FileChange {
  readonly callId: string;
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
  /** The past change that this one takes back. */
  readonly undoes?: string | undefined;
  /** How the one file became the other, if that is known: all but a head and a tail was replaced. */
  readonly splice?:
    | { readonly head: number; readonly tail: number; readonly inserted: Uint8Array }
    | undefined;
  /** The past change that left what is there, if nothing happened to it since. */
  readonly follows?: string | undefined;
  /**
   * Gives what is there a second name, where the journal would have to copy it. `false` if that
   * can't be done, or if it would not stay as it is.
   */
  readonly keep?: ((name: string) => boolean) | undefined;
}

/** What was written down of changes that are about to take effect. */
export interface Recording {
  /** What names each change from now on. */
  readonly ids: readonly string[];
  /** All of them took effect. */
  done(): void | Promise<void>;
  /** None of them did, or each was taken back. */
  dropped(): void;
}

/** A call whose changes others make for it: they are taken back with it. */
export interface ChangeOwner {
  readonly callId: string;
  readonly journal: Journal;
  /** Is told of every file that was changed. */
  changed(path: string): void;
}

/** Remembers what files held before a call changed them. */
export interface Journal extends ChangeHistory {
  /**
   * Called before changes take effect; they wait for it and fail with it. Changes told together
   * happen all or not at all: what a process that died left half done is taken back. Contents are
   * lent until then: whoever keeps them makes a copy.
   */
  record(changes: readonly FileChange[]): undefined | Recording | Promise<undefined | Recording>;
}
