import type { Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import {
  describeForOpenAi,
  type OpenAiDescription,
  type OpenAiToolOptions,
  openAiNames,
} from "./openai-form.ts";

/** A tool of the Responses API. */
export interface ResponsesTool extends OpenAiDescription {
  type: "function";
  name: string;
}

/**
 * Returns the session's current tools, for `tools` of a Responses request.
 *
 * @example
 * ```ts
 * import { toResponsesTools } from "@haft/connect/openai";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session;
 * const tools = toResponsesTools(session, { strict: true });
 * ```
 */
export function toResponsesTools(
  session: Session,
  options: OpenAiToolOptions = {},
): ResponsesTool[] {
  const names = nameTools(session, openAiNames);
  return session.tools().map((tool) => ({
    type: "function",
    name: names.toProvider(tool.name),
    ...describeForOpenAi(tool, options),
  }));
}

/** A tool of the Chat Completions API. */
export interface ChatTool {
  type: "function";
  function: Omit<ResponsesTool, "type">;
}

/**
 * Returns the session's current tools, for `tools` of a Chat Completions request.
 *
 * @example
 * ```ts
 * import { toChatTools } from "@haft/connect/openai";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session;
 * const tools = toChatTools(session);
 * ```
 */
export function toChatTools(session: Session, options: OpenAiToolOptions = {}): ChatTool[] {
  return toResponsesTools(session, options).map(({ type, ...own }) => ({ type, function: own }));
}
