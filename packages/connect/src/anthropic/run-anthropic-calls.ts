import type { ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { carryResult } from "../formats/carry-result.ts";
import { toProgramText } from "../formats/programmatic.ts";
import { type RunOptions, runCalls } from "../formats/run-calls.ts";
import { anthropicImages, anthropicNames } from "./anthropic-form.ts";

/** A block of a message's content. Blocks of type `tool_use` are run. */
export interface AnthropicBlock {
  readonly type: string;
}

/** The message that answers all calls of one message. */
export interface AnthropicResultMessage {
  role: "user";
  content: AnthropicResultBlock[];
}

/** The answer to one call. */
export interface AnthropicResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content: (AnthropicText | AnthropicImage)[];
  is_error?: true;
}

/** Text in an answer. */
export interface AnthropicText {
  type: "text";
  text: string;
}

/** An image in an answer. */
export interface AnthropicImage {
  type: "image";
  source: {
    type: "base64";
    media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
    data: string;
  };
}

/**
 * Runs the tool calls of a message and returns one message with their results, in order, and nothing
 * else. Without calls its content is empty. A call of a program in Anthropic's container gets its data as
 * JSON. Never throws.
 *
 * @example
 * ```ts
 * import { type AnthropicBlock, runAnthropicCalls } from "@haft/connect/anthropic";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session, content: AnthropicBlock[];
 * const message = await runAnthropicCalls(session, content);
 * ```
 */
export async function runAnthropicCalls(
  session: Session,
  content: readonly AnthropicBlock[],
  options: RunOptions = {},
): Promise<AnthropicResultMessage> {
  const blocks = content.filter(isCall);
  const calls = blocks.map(({ id, name, input }) => ({ id, name, arguments: input }));
  const results = await runCalls(session, calls, { ...options, rule: anthropicNames });
  return {
    role: "user",
    content: blocks.map((block, index) => toBlock(block, results[index] as ToolResult, session)),
  };
}

interface ToolUse extends AnthropicBlock {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly caller?: { readonly type: string };
}

function isCall(block: AnthropicBlock): block is ToolUse {
  return block.type === "tool_use";
}

function toBlock(
  { id, caller }: ToolUse,
  result: ToolResult,
  { roots }: Session,
): AnthropicResultBlock {
  const isProgram = caller?.type.startsWith("code_execution") ?? false;
  const { text, images } = isProgram
    ? { text: toProgramText(result, roots), images: [] }
    : carryResult(result, anthropicImages, roots);
  const shown = images.map(
    ({ mediaType, data }): AnthropicImage => ({
      type: "image",
      source: {
        type: "base64",
        media_type: mediaType as AnthropicImage["source"]["media_type"],
        data,
      },
    }),
  );
  return {
    type: "tool_result",
    tool_use_id: id,
    content: [{ type: "text", text }, ...shown],
    ...(result.type === "error" && { is_error: true }),
  };
}
