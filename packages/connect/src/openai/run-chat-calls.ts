import type { ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { type RunOptions, runCalls } from "../formats/run-calls.ts";
import type { FoundImage } from "../result-text/find-images.ts";
import { openAiNames, toOpenAiResult } from "./openai-form.ts";

/** An item of a message's `tool_calls`. Function calls are run. */
export interface ChatToolCall {
  readonly id: string;
  readonly type: string;
}

/** The answer to one call. */
export interface ChatToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** The images of all results: a tool message can't contain images. */
export interface ChatImageMessage {
  role: "user";
  content: (
    | { type: "text"; text: string }
    | { type: "image_url"; image_url: { url: string; detail: "auto" } }
  )[];
}

/**
 * Runs the tool calls of a message. Returns one message each, in order, followed by a message with
 * the images if there are any. Never throws.
 *
 * @example
 * ```ts
 * import { type ChatToolCall, runChatCalls } from "@haft/connect/openai";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session, message: { tool_calls?: ChatToolCall[] };
 * const answers = await runChatCalls(session, message.tool_calls);
 * ```
 */
export async function runChatCalls(
  session: Session,
  toolCalls: readonly ChatToolCall[] | null | undefined,
  options: RunOptions = {},
): Promise<(ChatToolMessage | ChatImageMessage)[]> {
  const calls = (toolCalls ?? []).filter(isFunctionCall).map((call) => ({
    id: call.id,
    name: call.function.name,
    arguments: call.function.arguments,
  }));
  const results = await runCalls(session, calls, { ...options, rule: openAiNames });
  const carried = results.map((result: ToolResult) => toOpenAiResult(result, session));
  const answers = calls.map(
    ({ id }, index): ChatToolMessage => ({
      role: "tool",
      tool_call_id: id,
      content: carried[index]?.text ?? "",
    }),
  );
  const shown = calls.flatMap(({ id }, index) =>
    (carried[index]?.images ?? []).map((image, at) => ({
      image,
      name: `Image ${at + 1} of ${id}:`,
    })),
  );
  return shown.length === 0 ? answers : [...answers, showImages(shown)];
}

interface FunctionCall extends ChatToolCall {
  readonly function: { readonly name: string; readonly arguments: string };
}

function isFunctionCall(call: ChatToolCall): call is FunctionCall {
  return call.type === "function" && "function" in call;
}

function showImages(
  shown: readonly { readonly image: FoundImage; readonly name: string }[],
): ChatImageMessage {
  return {
    role: "user",
    content: shown.flatMap(({ image, name }): ChatImageMessage["content"] => [
      { type: "text", text: name },
      {
        type: "image_url",
        image_url: { url: `data:${image.mediaType};base64,${image.data}`, detail: "auto" },
      },
    ]),
  };
}
