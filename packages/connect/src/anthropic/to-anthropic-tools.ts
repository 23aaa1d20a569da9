import type { Session, ShownTool } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import { toPlainSchema, type WireSchema } from "../formats/plain-schema.ts";
import { isForPrograms, type ProgrammaticOptions } from "../formats/programmatic.ts";
import { toStrictSchema } from "../formats/strict-schema.ts";
import { anthropicNames, anthropicStrict, createStrictBudget } from "./anthropic-form.ts";

/** Options of `toAnthropicTools`. */
export interface AnthropicToolOptions {
  /**
   * Make the model follow the schemas that allow it. Only the first tools are strict if a request
   * has more than Anthropic allows. Default: false.
   */
  readonly strict?: boolean;
  /**
   * Let programs in Anthropic's container call tools, too. Adds the code execution tool. `true` allows
   * Haft's own tools that only read or search. Default: false.
   */
  readonly programmatic?: boolean | AnthropicProgrammaticOptions;
}

/** Options for tools that programs in Anthropic's container may call. */
export interface AnthropicProgrammaticOptions extends ProgrammaticOptions {
  /** Version of the code execution tool. Default: `code_execution_20260120`. */
  readonly type?: AnthropicCodeTool["type"];
}

/** The tool that lets a model run programs in Anthropic's container. */
export interface AnthropicCodeTool {
  type: "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521";
  name: "code_execution";
}

/** A tool of the Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: WireSchema;
  strict?: true;
  /** Default: the model only. */
  allowed_callers?: ("direct" | AnthropicCodeTool["type"])[];
}

/**
 * Returns the session's current tools, for `tools` of a Messages request.
 *
 * @example
 * ```ts
 * import { toAnthropicTools } from "@haft/connect/anthropic";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session;
 * const tools = toAnthropicTools(session);
 * ```
 */
export function toAnthropicTools(
  session: Session,
  options?: AnthropicToolOptions & { readonly programmatic?: false },
): AnthropicTool[];
export function toAnthropicTools(
  session: Session,
  options: AnthropicToolOptions,
): (AnthropicTool | AnthropicCodeTool)[];
export function toAnthropicTools(
  session: Session,
  { strict = false, programmatic = false }: AnthropicToolOptions = {},
): (AnthropicTool | AnthropicCodeTool)[] {
  const names = nameTools(session, anthropicNames);
  const budget = createStrictBudget();
  const programs = programmatic === true ? {} : programmatic;
  const tools = session.tools().map((shown): AnthropicTool => {
    const { name, description, input_schema } = shown;
    const tool = {
      name: names.toProvider(name),
      description,
      ...(programs && describeCallers(shown, programs)),
    };
    const held = strict ? toStrictSchema(input_schema, anthropicStrict) : undefined;
    return held !== undefined && budget.take(held.tally)
      ? { ...tool, input_schema: held.schema, strict: true }
      : { ...tool, input_schema: toPlainSchema(input_schema) };
  });
  if (!programs) return tools;
  return [{ type: programs.type ?? defaultCodeTool, name: "code_execution" }, ...tools];
}

const defaultCodeTool = "code_execution_20260120";

// A program has to know what it gets, and the API has no field for that.
function describeCallers(
  tool: ShownTool,
  programs: AnthropicProgrammaticOptions,
): Partial<AnthropicTool> {
  if (!isForPrograms(tool, programs)) return {};
  const { description, output_schema: output } = tool;
  return {
    allowed_callers: ["direct", programs.type ?? defaultCodeTool],
    ...(output !== undefined && {
      description: `${description}\n\nCode gets a JSON text with this schema: ${JSON.stringify(output)}`,
    }),
  };
}
