import type { OpenModel } from "../models/open-model.ts";
import type { ThreadEntry } from "../threads/thread.ts";
import type { AgentOptions } from "./agent.ts";
import type { AgentListener } from "./agent-event.ts";
import { clipText } from "./clip-text.ts";
import type { ContextBudget } from "./context-budget.ts";
import type { Conversation } from "./conversation.ts";
import { writeTranscript } from "./transcript.ts";

/** What is to fit, and what can be done about it. */
export interface FitOptions {
  readonly model: OpenModel;
  /** About how many tokens instructions and tools have. */
  readonly fixedTokens: number;
  readonly conversation: Conversation;
  readonly budget: ContextBudget;
  readonly summarize: AgentOptions["summarize"];
  readonly signal: AbortSignal;
  readonly emit: AgentListener;
  append(entry: ThreadEntry): void;
  /** Tells that something is left out; the same is not told twice. */
  warn(message: string): void;
}

/** From this part of the room on there is too much, and this much is left when turns are left out. */
const tight = 0.8;
const roomy = 0.5;
/** Of the room, what the latest words take that stand beside a summary. */
const tail = 0.1;
/** Less than this part is not worth a summary. */
const summable = 0.25;
const charactersPerToken = 4;

/** Makes room for a request, the mildest way that does. */
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
    options.warn("The oldest turns are no longer sent to the model, as they do not fit any more.");
  }
  if (!isTight()) return;
  conversation.shortenThisTurn();
  if (!isTight()) return;
  if (conversation.dropSteps(wanted) > 0) {
    options.warn("Earlier steps of this turn are no longer sent to the model, as they do not fit.");
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
    // A summary may not take more room than what it stands for.
    const summary = clipText(words, Math.ceil(room * summable));
    const latest = writeTranscript(pieces, room * tail);
    const request = clipText(conversation.request, Math.ceil(room * tail));
    replace(options, [
      summary,
      // What a long turn is about is said at its beginning.
      ...(latest.includes(request) ? [] : [`What the person asked for, in full:\n\n${request}`]),
      `The latest of it, as it was said:\n\n${latest}`,
    ]);
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    options.warn(`What was said could not be summed up: ${reason}`);
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
