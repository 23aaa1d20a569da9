import type { JsonValue, Question, ToolResult } from "@haft/contract";
import type { AskEffects, FileVersion, WaitingFacts } from "@haft/core";
import type { ProcessIdentity } from "../locks/process-identity.ts";

/** A call that waits for a person, as it is stored. */
export interface StoredQuestion {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** From then on the call is denied, and an approval that was not used is void. */
  readonly deadlineAt: string;
  /** The first root of the workspace. */
  readonly workspace: string;
  /** ID of the session. */
  readonly session: string;
  /** The command that asks, such as `haft mcp`. */
  readonly asker: string;
  /** The user who runs it. */
  readonly user: string;
  /** Equal for equal calls of a session, so that a repeated command finds its question. */
  readonly key: string;
  /** Native ID of the tool. */
  readonly tool: string;
  readonly name: string;
  /** As they will run, with secrets hidden. */
  readonly arguments: JsonValue;
  /** What the call asks a person. Absent if it needs approval. */
  readonly questions?: readonly Question[] | undefined;
  /** Why approval is needed: the verdict. */
  readonly reason: string;
  /** The rules that "always" stores, as lines. */
  readonly rules: readonly string[];
  /** What a command that has run would change. */
  readonly effects: AskEffects | undefined;
  /** Whether the call is part of a program. */
  readonly isNested: boolean;
  /** The call as it was sent; `undefined` if only its own process can continue it. */
  readonly call: WaitingFacts["call"];
  readonly dialect: string;
  /** SHA-256 of all that was shown. */
  readonly shown: string;
  readonly files: readonly FileVersion[];
}

/**
 * What a person can answer. `always` holds for the session, `project` for the workspace, `program` until the
 * program ends that makes the call; `stop` rejects the call and ends its program.
 */
export type InboxAnswer = "once" | "always" | "project" | "program" | "no" | "stop";

/** The one decision on a question. It is never changed. */
export interface StoredDecision {
  readonly version: 1;
  /** `answered`: with `answers`, to questions of a call. */
  readonly answer: InboxAnswer | "answered" | "expired" | "cancelled";
  /** One list per question. */
  readonly answers?: readonly (readonly string[])[];
  /** For the model, if the answer is no. */
  readonly reason: string | undefined;
  /** Rules to store instead of the proposed ones, as lines. */
  readonly rules?: readonly string[] | undefined;
  readonly by: string;
  readonly via: string;
  readonly at: string;
}

/** The process that runs an approved call. */
export interface StoredRun {
  readonly version: 1;
  readonly process: ProcessIdentity;
  readonly at: string;
}

/** The result of the call. */
export interface StoredEnd {
  readonly version: 1;
  readonly at: string;
  readonly result: ToolResult;
}

/**
 * A question with what became of it. `interrupted`: the process that ran the approved call died, so the call may have
 * had effects.
 */
export interface InboxEntry {
  readonly question: StoredQuestion;
  readonly state: "waiting" | "answered" | "expired" | "cancelled";
  readonly decision: StoredDecision | undefined;
  readonly progress: "waiting" | "running" | "ended" | "interrupted";
  readonly end: StoredEnd | undefined;
  /** Whether the process that asked still waits. */
  readonly isHeld: boolean;
}
