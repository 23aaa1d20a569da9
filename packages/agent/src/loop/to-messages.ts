import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { AssistantModelMessage, ToolResultPart, UserModelMessage } from "ai";
import type { ThreadEntry } from "../threads/thread.ts";
import type { PromptPart } from "./prompt-part.ts";

type AssistantParts = Extract<ThreadEntry, { readonly kind: "assistant" }>["content"];

/** A call by its ID and the name that the model used. */
export interface CallName {
  readonly id: string;
  readonly name: string;
}

/** The result of a call whose outcome is unknown. */
export const lostOutput: AiSdkModelOutput = {
  type: "error-text",
  value:
    "The call was interrupted. It may have taken effect: check the current state before you repeat it.",
};

/** Replaces a result that was shown only in its own turn. */
export const pastOutput: AiSdkModelOutput = {
  type: "text",
  value: "[This result was shown only in its own turn. Repeat the call if you need it.]",
};

/** Converts a person's message. */
export function toUserMessage(content: readonly PromptPart[]): UserModelMessage {
  return {
    role: "user",
    content: content.map((part) =>
      part.type === "text" ? { ...part } : { ...part, data: { type: "data", data: part.data } },
    ),
  };
}

/** A message to the model that no person wrote. */
export function toNoticeMessage(text: string): UserModelMessage {
  return { role: "user", content: [{ type: "text", text: `<notice>\n${text}\n</notice>` }] };
}

/** Converts a summary, which replaces everything before it. */
export function toSummaryMessage(text: string): UserModelMessage {
  const content = `<summary>\nSummary of the conversation so far:\n\n${text}\n</summary>`;
  return { role: "user", content: [{ type: "text", text: content }] };
}

/**
 * Converts an answer so that every provider accepts it: some refuse the whole conversation because of an
 * invalid tool name or arguments that are not an object.
 */
export function toAssistantMessage(content: AssistantParts): AssistantModelMessage {
  return {
    role: "assistant",
    content: content.map((part) =>
      part.type === "tool-call"
        ? {
            ...part,
            toolCallId: toWireId(part.toolCallId),
            toolName: toWireName(part.toolName),
            input: toWireInput(part.input),
          }
        : part,
    ),
  };
}

/** Returns the calls of an answer that Haft has to run. */
export function toCallNames(content: AssistantParts): CallName[] {
  return content.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [{ id: part.toolCallId, name: part.toolName }]
      : [],
  );
}

/** The result of a call. */
export function toResultPart({ id, name }: CallName, output: AiSdkModelOutput): ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: toWireId(id),
    toolName: toWireName(name),
    output,
  };
}

function toWireId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/gu, "_");
}

function toWireName(name: string): string {
  const legal = name.replaceAll(/[^a-zA-Z0-9_-]/gu, "_").slice(0, 64);
  return /^[a-zA-Z_]/u.test(legal) ? legal : `_${legal}`.slice(0, 64);
}

function toWireInput(input: unknown): unknown {
  if (typeof input === "string") return toWireInput(parse(input));
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? undefined : value;
  } catch {
    return undefined;
  }
}
