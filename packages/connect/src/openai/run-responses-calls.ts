import type { ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { type RunOptions, runCalls } from "../formats/run-calls.ts";
import { openAiNames, toOpenAiResult } from "./openai-form.ts";

/** An item of a response's output. Items of type `function_call` are run. */
export interface ResponsesOutputItem {
  readonly type: string;
}

/** The answer to one call, for `input` of the next request. */
export interface ResponsesCallOutput {
  type: "function_call_output";
  call_id: string;
  output: string | ResponsesContent[];
}

/** A part of an answer that has images. */
export type ResponsesContent =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" };

/**
 * Runs the function calls of a response's output. Returns one output each, in order. Never throws.
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
  const calls = output.filter(isCall).map((item) => ({
    id: item.call_id,
    name: item.name,
    arguments: item.arguments,
  }));
  const results = await runCalls(session, calls, { ...options, rule: openAiNames });
  return calls.map(({ id }, index) => ({
    type: "function_call_output",
    call_id: id,
    output: toOutput(results[index] as ToolResult, session),
  }));
}

interface FunctionCall extends ResponsesOutputItem {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

function isCall(item: ResponsesOutputItem): item is FunctionCall {
  return item.type === "function_call";
}

function toOutput(result: ToolResult, session: Session): string | ResponsesContent[] {
  const { text, images } = toOpenAiResult(result, session);
  if (images.length === 0) return text;
  return [
    { type: "input_text", text },
    ...images.map(
      ({ mediaType, data }): ResponsesContent => ({
        type: "input_image",
        image_url: `data:${mediaType};base64,${data}`,
        detail: "auto",
      }),
    ),
  ];
}
