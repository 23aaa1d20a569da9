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
  /** How it is made by renames, if it is: the journal then keeps what was there itself, not a copy. */
  readonly moved?: MovedEntry | undefined;
}

/** A change that moves what is at a path away, and something else there. */
export interface MovedEntry {
  /** Identifies what is there before the change. */
  readonly before?: string | undefined;
  /** Identifies what is there after the change. */
  readonly after?: string | undefined;
  /** Where it is kept: a path below the recording's own directory. Absent if nothing is moved away. */
  readonly keptAs?: string | undefined;
  /** Where it is kept instead, if it came from there: as the journal names it. */
  readonly keptAt?: string | undefined;
  /** Whether it is in a directory that is moved as a whole. */
  readonly isInner?: boolean | undefined;
  /** Number of bytes that are kept. */
  readonly bytes?: number | undefined;
  /** Whether what was there is dropped once all changes are made, so that they can't be undone. */
  readonly isFinal?: boolean | undefined;
}

/** What a call is about, for lists of changes. */
export interface CallTitle {
  readonly tool: string;
  readonly title: string;
}

/** What was written down of changes that are about to take effect. */
export interface Recording {
  /** What names each change from now on. */
  readonly ids: readonly string[];
  /** Where what a change moves away is to be put. */
  placeOf?(index: number): string | undefined;
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
   * lent until then: copy them to keep them.
   */
  record(changes: readonly FileChange[]): undefined | Recording | Promise<undefined | Recording>;
  /** Called before a call changes anything, with what it is about. */
  noteCall?(callId: string, title: CallTitle): void;
}
