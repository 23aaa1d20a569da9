import type { ToolResult } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { Session, ShownTool } from "@haft/core";
import { type CarriedResult, carryResult, commonImageTypes } from "../formats/carry-result.ts";
import { toPlainSchema, type WireSchema } from "../formats/plain-schema.ts";
import type { ProgrammaticOptions } from "../formats/programmatic.ts";
import type { NameRule } from "../formats/provider-names.ts";
import { type StrictRules, toStrictSchema } from "../formats/strict-schema.ts";

/** OpenAI's rule for tool names. */
export const openAiNames: NameRule = { maxLength: 64, anyFirst: true };

/** OpenAI's strict form. */
export const openAiStrict: StrictRules = {
  allRequired: true,
  keeps: (keyword) => bounds.has(keyword),
  limits: { properties: 5_000, depth: 10, listed: 1_000, characters: 120_000 },
};

const bounds: ReadonlySet<string> = new Set([
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
]);

/** Options of `toChatTools` and `toResponsesTools`. */
export interface OpenAiToolOptions {
  /** Make the model follow the schemas that allow it. Default: false. */
  readonly strict?: boolean;
}

/** Options of `toResponsesTools`. */
export interface ResponsesToolOptions extends OpenAiToolOptions {
  /**
   * Let programs that OpenAI runs call tools, too. `true` allows Haft's own tools that only read or search.
   * Default: false.
   */
  readonly programmatic?: boolean | ProgrammaticOptions;
}

/** A tool's definition for OpenAI, without its name. */
export interface OpenAiDescription {
  description: string;
  parameters: WireSchema;
  strict: boolean;
}

/** Describes a tool for OpenAI's models. */
export function describeForOpenAi(
  { description, input_schema }: ShownTool,
  { strict = false }: OpenAiToolOptions,
): OpenAiDescription {
  const held = strict ? toStrictSchema(input_schema, openAiStrict) : undefined;
  return {
    description: clipText(description, maxDescriptionLength),
    parameters: held?.schema ?? toPlainSchema(input_schema),
    strict: held !== undefined,
  };
}

/** Maximum length of a description: some models refuse a request with a longer one. */
export const maxDescriptionLength = 1024;

/** Converts a result for OpenAI. An error is marked in its text, because the API has no field for it. */
export function toOpenAiResult(result: ToolResult, { roots }: Session): CarriedResult {
  const { text, images } = carryResult(result, { types: commonImageTypes }, roots);
  return { text: result.type === "error" ? `Error: ${text}` : text, images };
}
