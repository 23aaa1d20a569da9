import type { JsonValue, ObjectSchema, ToolResult } from "@haft/contract";
import type { Session, ShownTool } from "@haft/core";
import { anthropicStrict, createStrictBudget } from "../anthropic/anthropic-form.ts";
import { nameTools } from "../formats/name-tools.ts";
import { toPlainSchema, type WireSchema } from "../formats/plain-schema.ts";
import { anyProviderNames } from "../formats/provider-names.ts";
import { toStrictSchema } from "../formats/strict-schema.ts";
import { toGeminiSchema } from "../gemini/gemini-schema.ts";
import { openAiStrict } from "../openai/openai-form.ts";
import type { AiSdkTool } from "./ai-sdk-tool.ts";
import { createInputSchema } from "./input-schema.ts";
import { isApproved } from "./is-approved.ts";
import { toAiSdkOutput } from "./to-ai-sdk-output.ts";

/** How tools are shown to models behind the AI SDK, which hands schemas on as they are. */
export interface AiSdkToolOptions {
  /**
   * The form of the schemas: `plain` for any provider, which it is unless said; `gemini` for
   * Google's dialect; the other two hold the model to the schemas that allow it, with Anthropic as
   * far as one request may.
   */
  readonly form?: "plain" | "gemini" | "openai-strict" | "anthropic-strict";
}

/** This turn's tools for `tools` of `generateText` and `streamText`. */
export function toAiSdkTools(
  session: Session,
  { form = "plain" }: AiSdkToolOptions = {},
): Record<string, AiSdkTool> {
  const names = nameTools(session, anyProviderNames);
  const toForm = createForm(form);
  const tools = session
    .tools()
    .map((shown): [string, AiSdkTool] => [
      names.toProvider(shown.name),
      { ...describeTool(shown, toForm(shown.input_schema)), ...runTool(shown.name, session) },
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
): Omit<AiSdkTool, "execute" | "toModelOutput"> {
  return {
    type: "dynamic",
    description,
    inputSchema: createInputSchema(schema),
    ...(strict && { strict }),
    metadata: { haft: { tool, kind, source } },
  };
}

function runTool(name: string, session: Session): Pick<AiSdkTool, "execute" | "toModelOutput"> {
  return {
    execute: (input, call) =>
      session.call(
        {
          id: call.toolCallId,
          name,
          arguments: input as JsonValue,
          approved: isApproved(call),
        },
        call.abortSignal === undefined ? {} : { signal: call.abortSignal },
      ),
    toModelOutput: ({ output }) => toAiSdkOutput(asResult(output)),
  };
}

// A result that somebody made of his own on the way is data like any other.
function asResult(output: unknown): ToolResult {
  const isResult = typeof output === "object" && output !== null && "metadata" in output;
  return isResult
    ? (output as ToolResult)
    : { type: "output", data: output ?? null, metadata: { duration_ms: 0 } };
}
