import type { FinishReason, LanguageModelUsage } from "ai";
import type { ThreadEntry } from "../threads/thread.ts";

/** The parts of an answer, as a thread keeps them. */
export type AnswerParts = Extract<ThreadEntry, { readonly kind: "assistant" }>["content"];

/** A call that a model wants made. */
export interface ModelCall {
  readonly id: string;
  /** As the model wrote it. */
  readonly name: string;
  /** What the arguments stand for; the text itself where it is no JSON. */
  readonly input: unknown;
}

/** What a model answered, whole. */
export interface ModelAnswer {
  readonly parts: AnswerParts;
  /** Those that are ours to make. */
  readonly calls: readonly ModelCall[];
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: LanguageModelUsage | undefined;
}
