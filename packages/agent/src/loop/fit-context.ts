import { clipText, toErrorMessage } from "@haft/contract/internal";
import type { OpenModel } from "../models/open-model.ts";
import type { ThreadEntry } from "../threads/thread.ts";
import type { AgentOptions } from "./agent.ts";
import type { AgentListener } from "./agent-event.ts";
import type { ContextBudget } from "./context-budget.ts";
import type { Conversation } from "./conversation.ts";
import { writeTranscript } from "./transcript.ts";

/** What must fit into the context, and how to make room. */
export interface FitOptions {
  readonly model: OpenModel;
  /** Estimated number of tokens of instructions and tools. */
  readonly fixedTokens: number;
  readonly conversation: Conversation;
  readonly budget: ContextBudget;
  readonly summarize: AgentOptions["summarize"];
  readonly signal: AbortSignal;
  readonly emit: AgentListener;
  append(entry: ThreadEntry): void;
  /** Warns that something is dropped. The same warning is not shown twice. */
  warn(message: string): void;
}

/** Above the first share of the context there is too much; dropping turns leaves the second. */
const tight = 0.8;
const roomy = 0.5;
/** Share of the context for the latest messages next to a summary. */
const tail = 0.1;
/** A smaller share is not worth a summary. */
const summable = 0.25;
const charactersPerToken = 4;

/** Makes room for a request, in the least harmful way that suffices. */
export async function fitContext(options: FitOptions): Promise<void> {
  const { budget, conversation, fixedTokens } = options;
  const limit = budget.limit(options.model);
  const isTight = (): boolean => budget.correct(fixedTokens + conversation.tokens) > limit * tight;
  if (!isTight()) return;
  conversation.shortenOldTurns();
  if (!isTight()) return;
  if (await sumUp(options, limit)) return;
  const wanted = Math.max(0, budget.estimateFor(limit * roomy) - fixedTokens);
  if (conversation.dropTurns(wanted) > 0) {
    options.warn(
      "The oldest turns are no longer sent to the model, because they don't fit its context.",
    );
  }
  if (!isTight()) return;
  conversation.shortenThisTurn();
  if (!isTight()) return;
  if (conversation.dropSteps(wanted) > 0) {
    options.warn(
      "Earlier steps of this turn are no longer sent to the model, because they don't fit its context.",
    );
  }
}

async function sumUp(options: FitOptions, limit: number): Promise<boolean> {
  const { budget, conversation, summarize, signal } = options;
  if (summarize === undefined) return false;
  if (budget.correct(conversation.tokens) < limit * summable) return false;
  const pieces = conversation.pieces();
  const room = budget.estimateFor(limit) * charactersPerToken;
  try {
    const transcript = writeTranscript(pieces, room * tight, true);
    const words = (await summarize(transcript, signal)).trim();
    if (words === "") throw new Error("it was empty");
    // A summary must not be longer than what it replaces.
    const summary = clipText(words, Math.ceil(room * summable), "");
    const latest = writeTranscript(pieces, room * tail);
    const request = clipText(conversation.request, Math.ceil(room * tail), "");
    replace(options, [
      summary,
      // The beginning of a long turn says what it is about.
      ...(latest.includes(request) ? [] : [`The user's request, in full:\n\n${request}`]),
      `The latest messages, verbatim:\n\n${latest}`,
    ]);
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = toErrorMessage(error);
    options.warn(`The conversation could not be summarized: ${reason}`);
    return false;
  }
}

function replace({ conversation, append, emit }: FitOptions, parts: readonly string[]): void {
  const { entries } = conversation;
  const text = parts.join("\n\n");
  const files = conversation.files();
  append({ kind: "summary", text });
  if (files !== undefined) conversation.tell(files);
  emit({ type: "compaction", entries, summary: text });
}
