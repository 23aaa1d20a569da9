import type { Session } from "@haft/core";
import type { OpenAiToolOptions } from "./openai-form.ts";
import { type ResponsesTool, toResponsesTools } from "./to-responses-tools.ts";

/** A tool as the Chat Completions API takes it. */
export interface ChatTool {
  type: "function";
  function: Omit<ResponsesTool, "type">;
}

/** This turn's tools for `tools` of a Chat Completions request. */
export function toChatTools(session: Session, options: OpenAiToolOptions = {}): ChatTool[] {
  return toResponsesTools(session, options).map(({ type, ...own }) => ({ type, function: own }));
}
