import type { AiSdkCall, AiSdkMessage, AiSdkPart } from "./ai-sdk-tool.ts";

/**
 * Tells whether a person approved this call. Only the last message counts: older ones are about
 * finished calls, whose ids can be reused.
 */
export function isApproved({ toolCallId, messages }: AiSdkCall): boolean {
  const last = messages.at(-1);
  if (last?.role !== "tool") return false;
  const approvals = new Set(
    partsOf(last)
      .filter((part): part is ApprovalResponse => part.type === "tool-approval-response")
      .filter(({ approved }) => approved === true)
      .map(({ approvalId }) => approvalId),
  );
  return messages
    .flatMap((message) => (message.role === "assistant" ? partsOf(message) : []))
    .filter((part): part is ApprovalRequest => part.type === "tool-approval-request")
    .some((request) => request.toolCallId === toolCallId && approvals.has(request.approvalId));
}

interface ApprovalRequest extends AiSdkPart {
  readonly approvalId: string;
  readonly toolCallId: string;
}

interface ApprovalResponse extends AiSdkPart {
  readonly approvalId: string;
  readonly approved: boolean;
}

function partsOf({ content }: AiSdkMessage): readonly AiSdkPart[] {
  return typeof content === "string" ? [] : content;
}
