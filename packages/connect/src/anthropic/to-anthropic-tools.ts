import type { Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import { toPlainSchema, type WireSchema } from "../formats/plain-schema.ts";
import { toStrictSchema } from "../formats/strict-schema.ts";
import { anthropicNames, anthropicStrict, createStrictBudget } from "./anthropic-form.ts";

/** Options of `toAnthropicTools`. */
export interface AnthropicToolOptions {
  /**
   * Make the model follow the schemas that allow it. Only the first tools are strict if a request
   * has more than Anthropic allows. Default: false.
   */
  readonly strict?: boolean;
}

/** A tool of the Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: WireSchema;
  strict?: true;
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
  { strict = false }: AnthropicToolOptions = {},
): AnthropicTool[] {
  const names = nameTools(session, anthropicNames);
  const budget = createStrictBudget();
  return session.tools().map(({ name, description, input_schema }) => {
    const held = strict ? toStrictSchema(input_schema, anthropicStrict) : undefined;
    const tool = { name: names.toProvider(name), description };
    return held !== undefined && budget.take(held.tally)
      ? { ...tool, input_schema: held.schema, strict: true }
      : { ...tool, input_schema: toPlainSchema(input_schema) };
  });
}
