import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from "ai";
import type { ThreadEntry } from "../threads/thread.ts";
import { isLong, shortenOutput, textOfOutput } from "./shorten-output.ts";
import {
  type CallName,
  lostOutput,
  pastOutput,
  toAssistantMessage,
  toCallNames,
  toResultPart,
} from "./to-messages.ts";
import { tokensOfContent, tokensOfOutput } from "./token-estimate.ts";

/** A part of a conversation that is kept or dropped as a whole. */
export type Piece = Said | Step;

/** A message to the model. */
export interface Said {
  readonly kind: "said";
  readonly message: UserModelMessage;
  readonly tokens: number;
}

/** An answer of the model with the results of its calls. */
export interface Step {
  readonly kind: "step";
  readonly message: AssistantModelMessage;
  readonly calls: readonly CallName[];
  /** By call ID. */
  readonly results: ReadonlyMap<string, ResultEntry>;
  readonly tokens: number;
}

/** The result of a call. */
export type ResultEntry = Extract<ThreadEntry, { readonly kind: "result" }>;

/** Creates a piece from a message. */
export function toSaid(message: UserModelMessage): Said {
  return { kind: "said", message, tokens: tokensOfContent(message.content) };
}

/** Creates a piece from an answer, without results yet. */
export function toStep(entry: Extract<ThreadEntry, { readonly kind: "assistant" }>): Step {
  const message = toAssistantMessage(entry.content);
  return {
    kind: "step",
    message,
    calls: toCallNames(entry.content),
    results: new Map(),
    tokens: tokensOfContent(message.content),
  };
}

/** Returns the step with one more result, or the same step if it has no call with this ID. */
export function addResult(step: Step, result: ResultEntry): Step {
  if (!step.calls.some(({ id }) => id === result.callId)) return step;
  // The map is modified in place: nothing else refers to it, and a step may have hundreds of calls.
  (step.results as Map<string, ResultEntry>).set(result.callId, result);
  return { ...step, tokens: step.tokens + tokensOfOutput(result.output) };
}

/** Returns the messages of a piece. Every call has a result in them, even if it was lost. */
export function toMessages(piece: Piece): ModelMessage[] {
  if (piece.kind === "said") return [piece.message];
  if (piece.calls.length === 0) return [piece.message];
  const tool: ToolModelMessage = {
    role: "tool",
    content: piece.calls.map((call) =>
      toResultPart(call, piece.results.get(call.id)?.output ?? lostOutput),
    ),
  };
  return [piece.message, tool];
}

/** Returns the piece with long results shortened, or the same piece if it has none. */
export function shortenPiece(piece: Piece): Piece {
  return mapResults(piece, (result) =>
    isLong(result.output) ? { ...result, output: shortenOutput(result.output) } : result,
  );
}

/** Returns the piece as the model sees it after its turn, or the same piece if nothing changes. */
export function endPiece(piece: Piece): Piece {
  return mapResults(piece, ({ isEphemeral, ...result }) =>
    isEphemeral ? { ...result, output: pastOutput } : result,
  );
}

/** Returns the piece with files replaced by their media types, or the same piece if it has none. */
export function dropPieceFiles(piece: Piece): Piece {
  if (piece.kind === "step") {
    return mapResults(piece, (result) =>
      result.output.type === "content"
        ? { ...result, output: { type: "text", value: textOfOutput(result.output) } }
        : result,
    );
  }
  const { content } = piece.message;
  if (typeof content === "string" || content.every(({ type }) => type === "text")) return piece;
  const parts = content.map((part) =>
    part.type === "file" ? { type: "text" as const, text: nameFile(part) } : part,
  );
  return toSaid({ role: "user", content: parts });
}

function nameFile({ mediaType }: { readonly mediaType: string }): string {
  return `[${mediaType}, no longer shown]`;
}

function mapResults(piece: Piece, change: (result: ResultEntry) => ResultEntry): Piece {
  if (piece.kind === "said") return piece;
  let { tokens } = piece;
  let isOther = false;
  const results = new Map<string, ResultEntry>();
  for (const [id, result] of piece.results) {
    const changed = change(result);
    results.set(id, changed);
    if (changed.output === result.output) continue;
    isOther = true;
    tokens += tokensOfOutput(changed.output) - tokensOfOutput(result.output);
  }
  return isOther ? { ...piece, results, tokens } : piece;
}
