import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { type AskAnswer, type AskRequest, toVisibleText } from "@haft/core";
import type { AcpClient } from "../acp-client.ts";
import { fromPermissionOutcome, toPermissionOptions } from "./permission-options.ts";

/** Asks a client's person about calls. */
export type AskPermission = (request: AskRequest) => Promise<AskAnswer>;

/** How calls are shown to whoever is asked. */
export type DescribeAsked = (request: AskRequest) => ToolCallUpdate;

const undecided = "The user was asked about this call and did not decide. It was not run.";

/** Makes what asks through a client. */
export function createAskPermission(client: AcpClient, describe: DescribeAsked): AskPermission {
  return async (request) => {
    const options = toPermissionOptions(request.rules);
    const toolCall = explain(describe(request), request.reason);
    // Whatever is not clearly a yes is a no, also that the client can't ask.
    const outcome = await client
      .requestPermission({ toolCall, options }, request.signal)
      .catch(() => undefined);
    const decision = outcome && fromPermissionOutcome(outcome, options);
    return decision === undefined ? { answer: "reject", reason: undecided } : { answer: decision };
  };
}

function explain(toolCall: ToolCallUpdate, reason: string): ToolCallUpdate {
  const text = `Asked because ${toVisibleText(reason)}.`;
  const content = [...(toolCall.content ?? []), toText(text)];
  return { ...toolCall, content };
}

function toText(text: string): { type: "content"; content: { type: "text"; text: string } } {
  return { type: "content", content: { type: "text", text } };
}
