import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { AssistantModelMessage, ToolResultPart, UserModelMessage } from "ai";
import type { ThreadEntry } from "../threads/thread.ts";
import type { PromptPart } from "./prompt-part.ts";

type AssistantParts = Extract<ThreadEntry, { readonly kind: "assistant" }>["content"];

/** A call by its id and the name under which the model made it. */
export interface CallName {
  readonly id: string;
  readonly name: string;
}

/** What a call is said to have come back with that nobody knows the end of. */
export const lostOutput: AiSdkModelOutput = {
  type: "error-text",
  value:
    "The call was interrupted. Whether it had an effect is not known: look before you repeat it.",
};

/** What stands for a result that was to be seen in its own turn only. */
export const pastOutput: AiSdkModelOutput = {
  type: "text",
  value: "[This result was shown in its own turn only. Make the call again if you need it.]",
};

/** What a person said. */
export function toUserMessage(content: readonly PromptPart[]): UserModelMessage {
  return {
    role: "user",
    content: content.map((part) =>
      part.type === "text" ? { ...part } : { ...part, data: { type: "data", data: part.data } },
    ),
  };
}

/** What the model is told without a person having said it. */
export function toNoticeMessage(text: string): UserModelMessage {
  return { role: "user", content: [{ type: "text", text: `<notice>\n${text}\n</notice>` }] };
}

/** What stands for everything before it. */
export function toSummaryMessage(text: string): UserModelMessage {
  const content = `<summary>\nWhat was said and done so far:\n\n${text}\n</summary>`;
  return { role: "user", content: [{ type: "text", text: content }] };
}

/**
 * What the model answered, as every provider takes it back: one refuses the whole talk for a name that
 * is not legal or for arguments that are no object.
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

/** The calls of an answer that wait for a result of ours. */
export function toCallNames(content: AssistantParts): CallName[] {
  return content.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true
      ? [{ id: part.toolCallId, name: part.toolName }]
      : [],
  );
}

/** What a call came back with. */
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
