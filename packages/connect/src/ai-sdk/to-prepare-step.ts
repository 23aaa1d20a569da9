import type { Session } from "@haft/core";
import type { AiSdkTool } from "./ai-sdk-tool.ts";
import { type AiSdkToolOptions, toAiSdkTools } from "./to-ai-sdk-tools.ts";

/**
 * Starts a step of the session with every step of the AI SDK, for `prepareStep` of `generateText` and
 * `streamText`. New tools are added to `tools` and removed ones deleted. `tools` must be the object
 * that the AI SDK was given; tools of other origin in it stay.
 *
 * @example
 * ```ts
 * import { toAiSdkTools, toPrepareStep } from "@haft/connect/ai-sdk";
 * import type { Session } from "@haft/core";
 * import { generateText, type LanguageModel } from "ai";
 *
 * declare const model: LanguageModel, session: Session;
 * const tools = toAiSdkTools(session);
 * await generateText({ model, tools, prepareStep: toPrepareStep(session, tools), prompt: "Go." });
 * ```
 */
export function toPrepareStep(
  session: Session,
  tools: Record<string, unknown>,
  options: AiSdkToolOptions = {},
): (step?: { readonly model?: unknown }) => undefined {
  return ({ model } = {}) => {
    session.startStep();
    const own = toAiSdkTools(session, { model, ...options });
    for (const [name, tool] of Object.entries(tools)) {
      if (isOurs(tool) && !Object.hasOwn(own, name)) delete tools[name];
    }
    for (const [name, tool] of Object.entries(own)) {
      if (!Object.hasOwn(tools, name) || isOurs(tools[name])) tools[name] = tool;
    }
    return undefined;
  };
}

function isOurs(tool: unknown): boolean {
  const { metadata } = tool as Partial<AiSdkTool>;
  return metadata?.haft !== undefined;
}
