import type {
  FinishReason,
  LanguageModelStreamPart,
  LanguageModelUsage,
  ProviderMetadata,
  ToolCallPart,
} from "ai";
import type { AnswerParts, ModelAnswer, ModelCall } from "./model-answer.ts";

/** Assembles an answer from a stream. */
export interface AnswerCollector {
  /** Adds the next part of the stream. */
  take(part: LanguageModelStreamPart): void;
  /** The text so far. */
  text(): string;
  /** Returns the complete answer, with unique call IDs, or `undefined` if the stream was interrupted. */
  answer(claimId: (id: string) => string): ModelAnswer | undefined;
}

/** Receives text as it is streamed. */
export interface AnswerListener {
  text(delta: string): void;
  reasoning(delta: string): void;
}

/** Starts with nothing said. */
export function createAnswerCollector(
  listener: AnswerListener,
  readInput: (toolName: string, input: unknown) => unknown = (_, input) => input,
): AnswerCollector {
  const drafts: Draft[] = [];
  const open = new Map<string, TextDraft>();
  let end: Extract<LanguageModelStreamPart, { type: "model-call-end" }> | undefined;

  const write = (part: TextPart, kind: TextDraft["type"]): void => {
    const key = `${kind} ${part.id}`;
    let draft = open.get(key);
    if (draft === undefined) {
      draft = { type: kind, text: "" };
      drafts.push(draft);
      open.set(key, draft);
    }
    if (part.text !== undefined) draft.text += part.text;
    if (part.providerMetadata !== undefined) draft.providerOptions = part.providerMetadata;
  };

  const takeCall = (part: Extract<LanguageModelStreamPart, { type: "tool-call" }>): void => {
    const { toolCallId, toolName, input, providerExecuted, providerMetadata } = part;
    drafts.push({
      type: "tool-call",
      toolCallId,
      toolName,
      input: readInput(toolName, input),
      ...(providerExecuted === true && { providerExecuted }),
      ...withOptions(providerMetadata),
    });
  };

  const text = (): string =>
    drafts.flatMap((draft) => (draft.type === "text" ? [draft.text] : [])).join("");

  return {
    take: (part) => {
      switch (part.type) {
        case "text-start":
        case "text-end":
          write(part, "text");
          break;
        case "text-delta":
          write(part, "text");
          if (part.text !== "") listener.text(part.text);
          break;
        case "reasoning-start":
        case "reasoning-end":
          write(part, "reasoning");
          break;
        case "reasoning-delta":
          write(part, "reasoning");
          if (part.text !== "") listener.reasoning(part.text);
          break;
        case "tool-call":
          takeCall(part);
          break;
        case "file":
        case "reasoning-file": {
          const { base64: data, mediaType } = part.file;
          drafts.push({ type: part.type, data, mediaType, ...withOptions(part.providerMetadata) });
          break;
        }
        case "custom":
          drafts.push({ type: "custom", kind: part.kind, ...withOptions(part.providerMetadata) });
          break;
        case "model-call-end":
          end = part;
          break;
        case "error":
          throw part.error;
      }
    },
    text,
    answer: (claimId) => {
      if (end === undefined || brokeOff(end)) return undefined;
      const { finishReason, usage } = end;
      const parts = drafts
        .filter(isWorthKeeping)
        .map((part) => (isOurs(part) ? { ...part, toolCallId: claimId(part.toolCallId) } : part));
      const calls = parts
        .filter(isOurs)
        .map(({ toolCallId: id, toolName: name, input }): ModelCall => ({ id, name, input }));
      return { parts, calls, text: text(), finishReason, usage };
    },
  };
}

interface TextPart {
  readonly id: string;
  readonly text?: string;
  readonly providerMetadata?: ProviderMetadata | undefined;
}

type Draft = AnswerParts[number];

interface TextDraft {
  type: "text" | "reasoning";
  text: string;
  providerOptions?: ProviderMetadata;
}

function isOurs(part: Draft): part is ToolCallPart {
  return part.type === "tool-call" && part.providerExecuted !== true;
}

function withOptions(metadata: ProviderMetadata | undefined): {
  providerOptions?: ProviderMetadata;
} {
  return metadata === undefined ? {} : { providerOptions: metadata };
}

function isWorthKeeping(part: Draft): boolean {
  if (part.type !== "text" && part.type !== "reasoning") return true;
  return part.text !== "" || part.providerOptions !== undefined;
}

// If a stream ends without a reason, provider packages report that or invent a reason.
function brokeOff({ finishReason, rawFinishReason, usage }: ModelEnd): boolean {
  if (finishReason === "error" || finishReason === "interrupted") return true;
  return finishReason === "other" && rawFinishReason === undefined && !usage.outputTokens;
}

interface ModelEnd {
  readonly finishReason: FinishReason;
  readonly rawFinishReason: string | undefined;
  readonly usage: LanguageModelUsage;
}
