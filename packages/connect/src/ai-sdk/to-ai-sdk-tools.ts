import type { ObjectSchema, ToolResult } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { Session, ShownTool } from "@haft/core";
import { anthropicStrict, createStrictBudget } from "../anthropic/anthropic-form.ts";
import type { ImageRule } from "../formats/carry-result.ts";
import { nameTools } from "../formats/name-tools.ts";
import { toPlainSchema, type WireSchema } from "../formats/plain-schema.ts";
import { anyProviderNames } from "../formats/provider-names.ts";
import { readInput } from "../formats/run-calls.ts";
import { toStrictSchema } from "../formats/strict-schema.ts";
import { toGeminiSchema } from "../gemini/gemini-schema.ts";
import { maxDescriptionLength, openAiStrict } from "../openai/openai-form.ts";
import type { AiSdkFunction, AiSdkTextTool, AiSdkTool } from "./ai-sdk-tool.ts";
import { createInputSchema } from "./input-schema.ts";
import { isApproved } from "./is-approved.ts";
import { toAiSdkOutput } from "./to-ai-sdk-output.ts";

/** Options of `toAiSdkTools`. */
export interface AiSdkToolOptions {
  /**
   * The form of the schemas, which the AI SDK passes on unchanged. `plain` suits any provider,
   * `gemini` is Google's subset. The strict forms make the model follow the schemas that allow it;
   * Anthropic limits how many per request. Default: `plain`.
   */
  readonly form?: "plain" | "gemini" | "openai-strict" | "anthropic-strict";
  /**
   * The model that gets the results, with their images. Images are left out if its API takes only text
   * there, as chat completions do: the AI SDK would send them as base64 text. Without `model` they are
   * left out too, because a tool does not learn which model it is used with. `toPrepareStep` sets it.
   */
  readonly model?: unknown;
}

/**
 * Returns the session's current tools, for `tools` of `generateText` and `streamText`.
 *
 * @example
 * ```ts
 * import { toAiSdkTools } from "@haft/connect/ai-sdk";
 * import type { Session } from "@haft/core";
 * import { generateText, type LanguageModel } from "ai";
 *
 * declare const model: LanguageModel, session: Session;
 * await generateText({ model, tools: toAiSdkTools(session, { model }), prompt: "List the files." });
 * ```
 */
export function toAiSdkTools(
  session: Session,
  { form = "plain", model }: AiSdkToolOptions = {},
): Record<string, AiSdkTool> {
  const images = toImageRule(model);
  const names = nameTools(session, anyProviderNames);
  const toForm = createForm(form);
  const takesText = acceptsText(model);
  const tools = session.tools().map((shown): [string, AiSdkTool] => [
    names.toProvider(shown.name),
    {
      ...((takesText && describeTextTool(shown)) ||
        describeTool(shown, toForm(shown.input_schema))),
      ...runTool(shown.name, session),
      toModelOutput: ({ output }) => toAiSdkOutput(asResult(output), images, session.roots),
    },
  ]);
  return Object.fromEntries(tools);
}

interface FormedSchema {
  readonly schema: WireSchema;
  readonly strict: boolean;
}

function createForm(form: AiSdkToolOptions["form"]): (schema: ObjectSchema) => FormedSchema {
  if (form === "gemini") return (schema) => ({ schema: toGeminiSchema(schema), strict: false });
  const budget = createStrictBudget();
  const hold = (schema: ObjectSchema): WireSchema | undefined => {
    if (form === "openai-strict") return toStrictSchema(schema, openAiStrict)?.schema;
    if (form !== "anthropic-strict") return undefined;
    const held = toStrictSchema(schema, anthropicStrict);
    return held !== undefined && budget.take(held.tally) ? held.schema : undefined;
  };
  return (schema) => {
    const held = hold(schema);
    return { schema: held ?? toPlainSchema(schema), strict: held !== undefined };
  };
}

function describeTool(
  { tool, description, kind, source }: ShownTool,
  { schema, strict }: FormedSchema,
): Omit<AiSdkFunction, "execute" | "toModelOutput"> {
  return {
    type: "dynamic",
    description,
    inputSchema: createInputSchema(schema),
    ...(strict && { strict }),
    metadata: { haft: { tool, kind, source } },
  };
}

/** Tells whether a model calls tools with plain text. Only OpenAI's do, over the Responses API. */
function acceptsText(model: unknown): boolean {
  const { provider } = Object(model) as { readonly provider?: unknown };
  return provider === "openai.responses";
}

function describeTextTool({
  tool,
  description,
  kind,
  source,
  input_schema,
  freeform,
}: ShownTool): Omit<AiSdkTextTool, "execute" | "toModelOutput"> | undefined {
  if (freeform === undefined) return undefined;
  const format = { type: "grammar", syntax: "lark", definition: freeform.grammar } as const;
  return {
    type: "provider",
    id: "openai.custom",
    isProviderExecuted: false,
    args: { description: clipText(description, maxDescriptionLength), format },
    inputSchema: createInputSchema(toPlainSchema(input_schema)),
    metadata: { haft: { tool, kind, source } },
  };
}

function runTool(name: string, session: Session): Pick<AiSdkTool, "execute"> {
  return {
    execute: (input, call) =>
      session.call(
        {
          id: call.toolCallId,
          name,
          arguments: readInput(input, name, session),
          approved: isApproved(call),
        },
        call.abortSignal === undefined ? {} : { signal: call.abortSignal },
      ),
  };
}

const unknownModel: ImageRule = {
  types: [],
  reason:
    "the program does not say which model reads it. Its developer can pass the model to toAiSdkTools.",
};

// Chat completions take only text in results, except on servers that are declared to take more.
function toImageRule(model: unknown): ImageRule | undefined {
  if (model === undefined || model === null) return unknownModel;
  const { provider, config } = model as {
    readonly provider?: unknown;
    readonly config?: { readonly supportsMultiPartToolContent?: unknown };
  };
  const isChat = typeof provider === "string" && provider.endsWith(".chat");
  return isChat && config?.supportsMultiPartToolContent !== true ? { types: [] } : undefined;
}

// A result that the caller's own code replaced is treated as data.
function asResult(output: unknown): ToolResult {
  const isResult = typeof output === "object" && output !== null && "metadata" in output;
  return isResult
    ? (output as ToolResult)
    : { type: "output", data: output ?? null, metadata: { duration_ms: 0 } };
}
