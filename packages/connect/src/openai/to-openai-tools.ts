import type { Session, ShownTool } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import { isForPrograms, type ProgrammaticOptions } from "../formats/programmatic.ts";
import {
  describeForOpenAi,
  type OpenAiDescription,
  type OpenAiToolOptions,
  openAiNames,
  type ResponsesToolOptions,
} from "./openai-form.ts";

/** A function of the Responses API. */
export interface ResponsesFunction extends OpenAiDescription {
  type: "function";
  name: string;
  allowed_callers?: ("direct" | "programmatic")[];
  output_schema?: Record<string, unknown>;
}

/** A tool of the Responses API that the model calls with plain text. */
export interface ResponsesCustomTool {
  type: "custom";
  name: string;
  description: string;
  format: { type: "grammar"; syntax: "lark"; definition: string };
}

/** A tool of the Responses API. */
export type ResponsesTool = ResponsesFunction | ResponsesCustomTool;

/** The tool that lets a model write programs that OpenAI runs. */
export interface ResponsesProgramTool {
  type: "programmatic_tool_calling";
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
export function toResponsesTools(session: Session, options?: OpenAiToolOptions): ResponsesTool[];
export function toResponsesTools(
  session: Session,
  options: ResponsesToolOptions,
): (ResponsesTool | ResponsesProgramTool)[];
export function toResponsesTools(
  session: Session,
  { programmatic = false, ...options }: ResponsesToolOptions = {},
): (ResponsesTool | ResponsesProgramTool)[] {
  const names = nameTools(session, openAiNames);
  const programs = programmatic === true ? {} : programmatic;
  const tools = session.tools().map((tool): ResponsesTool => {
    const name = names.toProvider(tool.name);
    const description = describeForOpenAi(tool, options);
    const { freeform } = tool;
    if (freeform !== undefined) {
      const format = { type: "grammar", syntax: "lark", definition: freeform.grammar } as const;
      return { type: "custom", name, description: description.description, format };
    }
    return {
      type: "function",
      name,
      ...description,
      ...(programs && describeCallers(tool, programs)),
    };
  });
  return programs ? [{ type: "programmatic_tool_calling" }, ...tools] : tools;
}

function describeCallers(
  tool: ShownTool,
  programs: ProgrammaticOptions,
): Pick<ResponsesFunction, "allowed_callers" | "output_schema"> {
  if (!isForPrograms(tool, programs)) return { allowed_callers: ["direct"] };
  const output = tool.output_schema as Record<string, unknown> | undefined;
  return {
    allowed_callers: ["direct", "programmatic"],
    ...(output !== undefined && { output_schema: output }),
  };
}

/** A tool of the Chat Completions API. */
export interface ChatTool {
  type: "function";
  function: OpenAiDescription & { name: string };
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
  const names = nameTools(session, openAiNames);
  return session.tools().map((tool) => ({
    type: "function",
    function: { name: names.toProvider(tool.name), ...describeForOpenAi(tool, options) },
  }));
}
