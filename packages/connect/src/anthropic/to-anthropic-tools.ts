import type { Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import { toPlainSchema, type WireSchema } from "../formats/plain-schema.ts";
import { toStrictSchema } from "../formats/strict-schema.ts";
import { anthropicNames, anthropicStrict, createStrictBudget } from "./anthropic-form.ts";

/** How tools are shown to Anthropic's models. */
export interface AnthropicToolOptions {
  /**
   * Hold the model to the schema where the schema allows it; false unless said. Of many tools the
   * first are held, as far as one request may.
   */
  readonly strict?: boolean;
}

/** A tool as the Messages API takes it. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: WireSchema;
  strict?: true;
}

/** This turn's tools for `tools` of a Messages request. */
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
