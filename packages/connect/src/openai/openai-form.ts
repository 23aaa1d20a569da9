import type { ToolResult } from "@haft/contract";
import type { ShownTool } from "@haft/core";
import { type CarriedResult, carryResult, commonImageTypes } from "../formats/carry-result.ts";
import { toPlainSchema, type WireSchema } from "../formats/plain-schema.ts";
import type { NameRule } from "../formats/provider-names.ts";
import { type StrictRules, toStrictSchema } from "../formats/strict-schema.ts";

/** What OpenAI takes for a name. */
export const openAiNames: NameRule = { longest: 64, anyFirst: true };

/** What OpenAI's strict form asks for. */
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

/** How tools are shown to OpenAI's models. */
export interface OpenAiToolOptions {
  /** Hold the model to the schema where the schema allows it; false unless said. */
  readonly strict?: boolean;
}

/** What OpenAI's interfaces are told of a tool beside its name. */
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
    description: clip(description),
    parameters: held?.schema ?? toPlainSchema(input_schema),
    strict: held !== undefined,
  };
}

// For a longer description some models refuse the whole request.
const longestDescription = 1024;

function clip(text: string): string {
  if (text.length <= longestDescription) return text;
  return `${text
    .slice(0, longestDescription - 1)
    .toWellFormed()
    .replace(/\ufffd$/u, "")}…`;
}

/** A result for OpenAI's models, which have no other mark for an error than its text. */
export function toOpenAiResult(result: ToolResult): CarriedResult {
  const { text, images } = carryResult(result, { types: commonImageTypes });
  return { text: result.type === "error" ? `Error: ${text}` : text, images };
}
