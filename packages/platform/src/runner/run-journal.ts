/** How a step ended. A value that is missing is `undefined` in JavaScript. */
export type StepResult =
  | { readonly value?: unknown }
  | { readonly error: { readonly type: string; readonly message: string } };

/** What a tool can record: work that it did, or something that it waits for. */
export type StepKind = "step" | "sleep" | "ask";

/** A recorded call of `step`, `sleep` or `ask`. */
export interface JournalEntry {
  /** The number of the call in the invocation, from 0. */
  readonly position: number;
  readonly kind: StepKind;
  readonly name: string;
  /** The number of the result among all results, in the order in which they arrived. */
  readonly ordinal?: number;
  readonly result?: StepResult;
}

/** What a suspended tool waits for. */
export type Wait = SleepWait | AskWait;

export interface SleepWait {
  readonly kind: "sleep";
  readonly position: number;
  readonly ms: number;
}

export interface AskWait {
  readonly kind: "ask";
  readonly position: number;
  readonly question: string;
  readonly schema?: unknown;
  readonly deadlineMs?: number;
  /** IDs of users and names of roles. Default: everyone who may answer. */
  readonly answerers?: readonly string[];
}

/** The limits of a journal, which a worker enforces too. */
export interface JournalLimits {
  readonly maxSteps: number;
  readonly maxResultCharacters: number;
}

/** The part of a journal that a worker needs. All of it is JSON. */
export interface JournalState {
  readonly entries: readonly JournalEntry[];
  readonly limits: JournalLimits;
  /** The number of this run among those of the invocation. */
  readonly attempt: number;
}

/**
 * The journal of an invocation, from which it can be continued. Both functions resolve once the entry
 * is durable, and reject if this run may not go on, or the store fails.
 */
export interface RunJournal extends JournalState {
  /** Records that a step begins. */
  begin(step: BeginningStep): Promise<void>;
  /** Records how a step ended. Returns the result that counts, if that is another. */
  end(position: number, result: StepResult): Promise<StepResult>;
}

export interface BeginningStep {
  readonly position: number;
  readonly name: string;
  /** Whether it may run again if the process dies while it runs. */
  readonly isRepeatable: boolean;
}

/** The longest name of a step. */
export const maxStepNameCharacters = 200;
