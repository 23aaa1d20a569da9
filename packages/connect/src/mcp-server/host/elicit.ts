import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/server";

/** A form that a client puts to its person. */
export type ElicitForm = ElicitRequestFormParams;

/** What came back: the person filled it in, said no, or went away. */
export type ElicitAnswer = Pick<ElicitResult, "action" | "content">;

/** Has a client put a form to its person. */
export type Elicit = (form: ElicitForm, signal: AbortSignal) => Promise<ElicitAnswer>;

/** How long a person may take to answer before the call is given up. */
export const longestAnswerMs: number = 5 * 60 * 1000;
