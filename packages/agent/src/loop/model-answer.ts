import type { FinishReason, LanguageModelUsage } from "ai";
import type { ThreadEntry } from "../threads/thread.ts";

/** The parts of an answer as a thread stores them. */
export type AnswerParts = Extract<ThreadEntry, { readonly kind: "assistant" }>["content"];

/** A call that a model requests. */
export interface ModelCall {
  readonly id: string;
  /** Name that the model used. */
  readonly name: string;
  /** The parsed arguments, or the text itself if it is not valid JSON. */
  readonly input: unknown;
}

/** A complete answer of a model. */
export interface ModelAnswer {
  readonly parts: AnswerParts;
  /** The calls that Haft runs, not the provider. */
  readonly calls: readonly ModelCall[];
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: LanguageModelUsage | undefined;
}
