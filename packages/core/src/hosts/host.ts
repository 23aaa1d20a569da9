import type { Approval, JsonValue, Question } from "@haft/contract";
import type { Rule } from "../rules/rule.ts";

/** A call that waits for a person's decision. */
export interface AskRequest {
  readonly session: string;
  readonly callId: string;
  /** The name as the model wrote it. */
  readonly name: string;
  /** The native id. */
  readonly tool: string;
  /** The arguments exactly as they will run, with secrets hidden. */
  readonly arguments: JsonValue;
  /** Why approval is needed. */
  readonly reason: string;
  /**
   * The rules that an "always" answer would store. Empty if no rules can allow this call, so that it
   * needs approval each time.
   */
  readonly rules: readonly Rule[];
  /**
   * What a command that has ended would change. The question is then whether to apply the changes,
   * not whether to run the command.
   */
  readonly effects?: AskEffects;
  /** The program that makes the call, if it is not the model. It adds the answers `program` and `stop`. */
  readonly program?: AskingProgram;
  /** Finds the earlier calls that these rules would have allowed. */
  wouldAllow(): Promise<RulePreview>;
  /** Describes the call for an inbox, where the question may outlive the process. */
  toWaiting(): WaitingFacts;
  readonly signal: AbortSignal;
}

/** What is stored of a call that waits, to recognise it and to continue it. */
export interface WaitingFacts {
  /**
   * The call as the model sent it. `undefined` if only its own process can continue it: its arguments hold secrets,
   * it is part of a program, or its command has already run.
   */
  readonly call: { readonly name: string; readonly arguments: string | JsonValue } | undefined;
  readonly dialect: string;
  /** All that the person is asked to approve, as one text. */
  readonly shown: string;
  /** The files that the call depends on, as far as they are known. */
  readonly files: readonly FileVersion[];
}

/** A file and its version, which changes with every change of the file. */
export interface FileVersion {
  readonly path: string;
  /** `null` if there was no file. */
  readonly version: string | null;
}

/** A program one of whose calls waits for a person's decision. */
export interface AskingProgram {
  /** ID of the call that runs the program. */
  readonly callId: string;
  /** Which of the program's calls it is, from 1. */
  readonly call: number;
  /** Number of calls that the program has made. */
  readonly calls: number;
  /** The rules that the answer `program` allows until the program ends. Empty if it needs approval each time. */
  readonly rules: readonly Rule[];
}

/** Changes of a command that wait for a person's decision. */
export interface AskEffects {
  /** The changes, or the first of them. Many new or deleted files appear as their directory. */
  readonly changes: readonly AskedChange[];
  /** The number of changed files. */
  readonly total: number;
  /** The diffs of the changed text files, cut to a readable length, with secrets hidden. */
  readonly diff: string;
}

/** A change that waits for a person's decision. */
export interface AskedChange {
  /** Relative to the workspace if there is one root, otherwise absolute. */
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted" | "mode";
  /** For a directory that appears with everything in it: the number of files. */
  readonly files?: number;
}

/** The earlier calls of a session that a rule would have allowed. */
export interface RulePreview {
  /** Number of calls examined, without the current one. */
  readonly calls: number;
  /** Number of them that the rule would have allowed and that were not allowed without it. */
  readonly count: number;
  /** The latest of these, one line each. */
  readonly examples: readonly string[];
}

/**
 * A person's decision: allow once, allow always in this session or project, reject, or reject always
 * in this session, which stores the rules as denials. For a call of a program also: allow always in
 * this program, or reject and end the program.
 */
export interface AskAnswer {
  readonly answer: "once" | "session" | "project" | "reject" | "never" | "program" | "stop";
  /** Rules to store instead of the proposed ones. */
  readonly rules?: readonly Rule[];
  /** For `effects`: paths of the changes to apply, as in the request. Default: all. */
  readonly paths?: readonly string[];
  /** Message to the model, for a rejection. */
  readonly reason?: string;
  /**
   * Who answered, for an answer that came through an inbox. The call is judged again before it runs, because
   * rules and files may have changed meanwhile.
   */
  readonly approval?: Approval;
}

/** Questions of a running call to a person. */
export interface QuestionRequest {
  readonly callId: string;
  readonly questions: readonly Question[];
  readonly signal: AbortSignal;
  /** Describes the call for an inbox, where the questions may outlive the process. Default: they can't wait in one. */
  toFacts?(): QuestionFacts;
}

/** What is stored of a call that waits for answers, with secrets hidden. */
export interface QuestionFacts extends Pick<WaitingFacts, "call" | "dialect"> {
  readonly session: string;
  /** The native id. */
  readonly tool: string;
  /** The name as the model wrote it. */
  readonly name: string;
  readonly arguments: JsonValue;
  readonly questions: readonly Question[];
  /** Whether a program makes the call. */
  readonly isNested: boolean;
}

/** Shows calls to a person and asks for decisions. A headless host has no person. */
export interface Host {
  readonly headless: boolean;
  /** For a headless host: how a person can be asked after all, as a sentence. It is added to refusals. */
  readonly remedy?: string;
  ask(request: AskRequest): Promise<AskAnswer>;
  /** Returns one array of answers per question. */
  question(request: QuestionRequest): Promise<string[][]>;
}
