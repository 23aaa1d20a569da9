import type { JsonValue } from "@haft/contract";
import type { Judgement, Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import { anyProviderNames } from "../formats/provider-names.ts";

/** What is to become of a call; nothing is said of tools that are not the session's. */
export type AiSdkApproval =
  | undefined
  | "not-applicable"
  | { type: "denied"; reason: string }
  | { type: "user-approval"; reason: string };

/** A call that the model wants to make. */
export interface AiSdkApprovalRequest {
  readonly toolCall: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  };
}

/**
 * Has the AI SDK ask the person where the session would: for `toolApproval` of `generateText` and
 * `streamText`. What is answered there, the session asks no more; without it, the session asks its
 * own host.
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
      arguments: input as JsonValue,
    });
    return toApproval(toolName, judgement);
  };
}

function toApproval(name: string, { action, layer, why }: Judgement): AiSdkApproval {
  // Arguments that don't fit, and what is gone, the call itself explains best.
  if (action === "allow" || layer === "arguments" || layer === "available") {
    return "not-applicable";
  }
  if (action === "ask") return { type: "user-approval", reason: why };
  const isSentence = layer === "capability" || layer === "watchdog";
  const reason = isSentence ? why : `${name} was refused by ${why}. It was not run.`;
  return { type: "denied", reason };
}
