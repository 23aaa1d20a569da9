import { untilAborted } from "@haft/core/internal";
import type { LanguageModelStreamPart, ModelMessage } from "ai";
import type { AgentRole } from "./agent.ts";
import { type AnswerListener, createAnswerCollector } from "./answer-collector.ts";
import type { Conversation } from "./conversation.ts";
import type { ModelAnswer } from "./model-answer.ts";
import type { ModelTools } from "./model-tools.ts";

/** One request to a model. */
export interface ModelRequest {
  readonly role: AgentRole;
  readonly tools: ModelTools;
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
  readonly listener: AnswerListener;
  claimId(id: string): string;
}

/** The outcome of a request. */
export type AskEnd =
  | { readonly type: "answer"; readonly answer: ModelAnswer }
  /** The request was aborted after this much of the answer. */
  | { readonly type: "aborted"; readonly text: string }
  /** The stream ended before the answer was complete, with an error or without. */
  | { readonly type: "broken-off"; readonly error?: unknown };

/** Sends one request to a model. Rejects if the provider refuses it. */
export async function askModel(request: ModelRequest): Promise<AskEnd> {
  const { signal, listener, claimId } = request;
  const collector = createAnswerCollector(listener, request.tools.readInput);
  let hasBegun = false;
  try {
    signal.throwIfAborted();
    const stream = await untilAborted({ signal }, openStream(request));
    hasBegun = true;
    await readStream(stream, signal, collector.take);
  } catch (error) {
    if (!signal.aborted && hasBegun) return { type: "broken-off", error };
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) return { type: "aborted", text: collector.text() };
  const answer = collector.answer(claimId);
  return answer === undefined ? { type: "broken-off" } : { type: "answer", answer };
}

async function openStream(request: ModelRequest): Promise<ReadableStream<LanguageModelStreamPart>> {
  const { role, tools, conversation, signal } = request;
  // One plain model call: `streamText` does ten times the work per step.
  const { experimental_streamLanguageModelCall: streamCall } = await import("ai");
  const { stream } = await streamCall({
    model: role.model.model,
    // Some providers refuse an empty system prompt.
    ...(role.instructions.trim() !== "" && { instructions: role.instructions }),
    // The SDK does not modify the array, though its type does not say so.
    messages: tools.toSent(conversation.messages()) as ModelMessage[],
    tools: tools.set,
    abortSignal: signal,
    ...(role.model.outputTokens !== undefined && { maxOutputTokens: role.model.outputTokens }),
  });
  return stream as ReadableStream<LanguageModelStreamPart>;
}

async function readStream(
  stream: ReadableStream<LanguageModelStreamPart>,
  signal: AbortSignal,
  take: (part: LanguageModelStreamPart) => void,
): Promise<void> {
  const reader = stream.getReader();
  const stop = (): void => {
    reader.cancel(signal.reason).catch(() => undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value);
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
