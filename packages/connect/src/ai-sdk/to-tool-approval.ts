import type { Judgement, Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import { anyProviderNames } from "../formats/provider-names.ts";
import { readInput } from "../formats/run-calls.ts";

/** The decision on a call; `undefined` for tools that are not the session's. */
export type AiSdkApproval =
  | undefined
  | "not-applicable"
  | { type: "denied"; reason: string }
  | { type: "user-approval"; reason: string };

/** A call that the model requests. */
export interface AiSdkApprovalRequest {
  readonly toolCall: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  };
}

/**
 * Makes the AI SDK ask for approval where the session would, for `toolApproval` of `generateText` and
 * `streamText`. The session does not ask again. Without it, the session asks its own host.
 *
 * @example
 * ```ts
 * import { toAiSdkTools, toToolApproval } from "@haft/connect/ai-sdk";
 * import type { Session } from "@haft/core";
 * import { generateText, type LanguageModel } from "ai";
 *
 * declare const model: LanguageModel, session: Session;
 * const toolApproval = toToolApproval(session);
 * await generateText({ model, tools: toAiSdkTools(session, { model }), toolApproval, prompt: "Go." });
 * ```
 */
export function toToolApproval(
  session: Session,
): (request: AiSdkApprovalRequest) => Promise<AiSdkApproval> {
  return async ({ toolCall: { toolCallId, toolName, input } }) => {
    const name = nameTools(session, anyProviderNames).fromProvider(toolName);
    if (!session.tools("all").some((tool) => tool.name === name)) return undefined;
    const judgement = await session.judge({
      id: toolCallId,
      name,
      arguments: readInput(input, name, session),
    });
    return toApproval(toolName, judgement);
  };
}

function toApproval(name: string, { action, stage, rule, why }: Judgement): AiSdkApproval {
  // Wrong arguments and missing tools are explained best by the call itself.
  if (action === "allow" || stage === "arguments" || stage === "available") {
    return "not-applicable";
  }
  if (action === "ask") return { type: "user-approval", reason: why };
  const isByRules = rule !== null || stage === "none";
  const reason = isByRules ? `${name} was refused by ${why}. It was not run.` : why;
  return { type: "denied", reason };
}
