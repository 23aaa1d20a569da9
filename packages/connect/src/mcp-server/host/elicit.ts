import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/server";

/** A form that a client shows to its user. */
export type ElicitForm = ElicitRequestFormParams;

/** The user's response: accepted with content, declined or cancelled. */
export type ElicitAnswer = Pick<ElicitResult, "action" | "content">;

/** Asks a client to show a form to its user. */
export type Elicit = (form: ElicitForm, signal: AbortSignal) => Promise<ElicitAnswer>;

/** Time limit for an answer, in milliseconds. Then the call is cancelled. */
export const maxAnswerMs: number = 5 * 60 * 1000;
