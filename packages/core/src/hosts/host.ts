import type { JsonValue, Question } from "@haft/contract";
import type { Rule } from "../rules/rule.ts";

/** A call that waits for a person's word. */
export interface AskRequest {
  readonly session: string;
  readonly callId: string;
  /** The name as the model wrote it. */
  readonly name: string;
  /** The native id. */
  readonly tool: string;
  /** As they will be executed, secrets hidden: what is approved is what runs. */
  readonly arguments: JsonValue;
  /** Why it is asked. */
  readonly reason: string;
  /** What "always" would store. */
  readonly rules: readonly Rule[];
  /** Finds out what these rules would have let through unasked so far. */
  wouldAllow(): Promise<RulePreview>;
  readonly signal: AbortSignal;
}

/** Which calls of a session a rule would have allowed. */
export interface RulePreview {
  /** How many calls were looked at, the present one not among them. */
  readonly calls: number;
  /** How many of them the rule would have allowed that were not allowed without it. */
  readonly count: number;
  /** The latest of these, each in one line. */
  readonly examples: readonly string[];
}

/**
 * The person's word: this once, always in this session or project, no, or never in this session, which
 * stores the rules as denials.
 */
export interface AskAnswer {
  readonly answer: "once" | "session" | "project" | "reject" | "never";
  /** Rules to store instead of those proposed, with "always" and "never". */
  readonly rules?: readonly Rule[];
  /** What to tell the model, with a rejection. */
  readonly reason?: string;
}

/** What a running call wants to know of a person. */
export interface QuestionRequest {
  readonly callId: string;
  readonly questions: readonly Question[];
  readonly signal: AbortSignal;
}

/** Whoever runs the session on behalf of a person, or of nobody. */
export interface Host {
  readonly headless: boolean;
  ask(request: AskRequest): Promise<AskAnswer>;
  /** One array of answers per question. */
  question(request: QuestionRequest): Promise<string[][]>;
}
