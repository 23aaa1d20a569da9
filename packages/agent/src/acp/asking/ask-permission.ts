import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { AskAnswer, AskRequest } from "@haft/core";
import { toVisibleLine } from "@haft/core/internal";
import type { AcpClient } from "../acp-client.ts";
import { quoteLine } from "../updates/code-block.ts";
import { fromPermissionOutcome, toPermissionOptions } from "./permission-options.ts";

/** Asks the user of a client to approve calls. */
export type AskPermission = (request: AskRequest) => Promise<AskAnswer>;

/** Converts a call for display in the question. */
export type DescribeAsked = (request: AskRequest) => ToolCallUpdate;

const undecided = "The user was asked to approve this and did not decide.";

/** Creates a function that asks through a client. */
export function createAskPermission(client: AcpClient, describe: DescribeAsked): AskPermission {
  return async (request) => {
    const options = toPermissionOptions(request);
    const toolCall = explain(describe(request), request.reason);
    // Everything but a clear yes means no, including a client that can't ask.
    const outcome = await client
      .requestPermission({ toolCall, options }, request.signal)
      .catch(() => undefined);
    const decision = outcome && fromPermissionOutcome(outcome, options);
    return decision === undefined ? { answer: "reject", reason: undecided } : { answer: decision };
  };
}

function explain(toolCall: ToolCallUpdate, reason: string): ToolCallUpdate {
  // It may quote the call.
  const line = toVisibleLine(reason);
  const words = quoteLine(line);
  const text = words === line ? `Asked because ${line}.` : `Asked because\n${words}`;
  const content = [...(toolCall.content ?? []), toText(text)];
  return { ...toolCall, content };
}

function toText(text: string): { type: "content"; content: { type: "text"; text: string } } {
  return { type: "content", content: { type: "text", text } };
}
