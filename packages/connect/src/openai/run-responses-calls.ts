import type { ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { commonImageTypes } from "../formats/carry-result.ts";
import { toProgramText } from "../formats/programmatic.ts";
import { type RunOptions, runCalls } from "../formats/run-calls.ts";
import { type ContentItem, toContentItems } from "../result-text/content-items.ts";
import { openAiNames, toOpenAiResult } from "./openai-form.ts";

/** An item of a response's output. Items of type `function_call` and `custom_tool_call` are run. */
export interface ResponsesOutputItem {
  readonly type: string;
}

/** The answer to one call, for `input` of the next request. */
export interface ResponsesCallOutput {
  type: "function_call_output" | "custom_tool_call_output";
  call_id: string;
  output: string | ResponsesContent[];
  /** The program at OpenAI that made the call, if one did. */
  caller?: ResponsesCaller;
}

/** A part of an answer that has several, such as images. */
export type ResponsesContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" | "low" | "high" | "original" };

/** What made a call. */
export type ResponsesCaller = { type: "direct" } | { type: "program"; caller_id: string };

/**
 * Runs the calls of a response's output. Returns one output each, in order. Never throws.
 *
 * @example
 * ```ts
 * import { type ResponsesOutputItem, runResponsesCalls } from "@haft/connect/openai";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session, response: { output: ResponsesOutputItem[] };
 * const input = await runResponsesCalls(session, response.output);
 * ```
 */
export async function runResponsesCalls(
  session: Session,
  output: readonly ResponsesOutputItem[],
  options: RunOptions = {},
): Promise<ResponsesCallOutput[]> {
  const items = output.filter(isCall);
  const calls = items.map((item) => ({
    id: item.call_id,
    name: item.name,
    ...(item.type === "custom_tool_call" ? { text: item.input } : { arguments: item.arguments }),
  }));
  const results = await runCalls(session, calls, { ...options, rule: openAiNames });
  return items.map(({ type, call_id, caller }, index): ResponsesCallOutput => {
    const result = results[index] as ToolResult;
    const isProgram = caller?.type === "program";
    return {
      type: `${type}_output`,
      call_id,
      output: isProgram ? toProgramText(result, session.roots) : toOutput(result, session),
      ...(caller && { caller }),
    };
  });
}

type CallItem = ResponsesOutputItem & {
  readonly call_id: string;
  readonly name: string;
  readonly caller?: ResponsesCaller | null;
} & (
    | { readonly type: "function_call"; readonly arguments: string }
    | { readonly type: "custom_tool_call"; readonly input: string }
  );

function isCall(item: ResponsesOutputItem): item is CallItem {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

function toOutput(result: ToolResult, session: Session): string | ResponsesContent[] {
  const items = toContentItems(result);
  if (items !== undefined) return items.map(toResponsesContent);
  const { text, images } = toOpenAiResult(result, session);
  if (images.length === 0) return text;
  return [
    { type: "input_text", text },
    ...images.map((image) => toResponsesContent({ type: "image", image })),
  ];
}

function toResponsesContent(item: ContentItem): ResponsesContent {
  if (item.type === "text") return { type: "input_text", text: item.text };
  const { mediaType, data } = item.image;
  if (!commonImageTypes.includes(mediaType)) {
    return { type: "input_text", text: `[An image was not sent: ${mediaType} is not supported.]` };
  }
  const image_url = `data:${mediaType};base64,${data}`;
  return { type: "input_image", image_url, detail: item.detail ?? "auto" };
}
