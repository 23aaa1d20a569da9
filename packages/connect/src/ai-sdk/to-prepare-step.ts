import type { Session } from "@haft/core";
import type { AiSdkTool } from "./ai-sdk-tool.ts";
import { type AiSdkToolOptions, toAiSdkTools } from "./to-ai-sdk-tools.ts";

/**
 * Begins a turn of the session with every step, for `prepareStep` of `generateText` and
 * `streamText`: tools that a search found, or that came meanwhile, join `tools`, and those that are
 * gone leave it. `tools` is the very object that the AI SDK was given; tools of others in it stay.
 */
export function toPrepareStep(
  session: Session,
  tools: Record<string, unknown>,
  options: AiSdkToolOptions = {},
): () => undefined {
  return () => {
    session.startTurn();
    const own = toAiSdkTools(session, options);
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
