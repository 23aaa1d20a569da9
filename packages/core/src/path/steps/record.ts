import type { CallState, ToolResult } from "@haft/contract";
import { messageOf } from "../../message-of.ts";
import type { Call } from "../call.ts";
import { describeCall, enterState } from "../call-events.ts";
import type { CallContext } from "../context.ts";

/** Writes the call's one row and tells those who listen. */
export function record(call: Call, result: ToolResult, context: CallContext): void {
  enterState(call, endState(result), context);
  try {
    const sent = context.secrets.hideKnown(call.sent);
    context.earlier.add(call, result, sent);
    context.recorder.record({
      session: context.storage.id,
      callId: call.id,
      name: call.name,
      tool: call.tool?.id,
      arguments: sent,
      dialect: context.dialect.name,
      startedAt: call.startedAt,
      state: call.state,
      result,
    });
  } catch (error) {
    context.events.warn(`The call ${call.id} could not be recorded: ${messageOf(error)}`);
  }
  const name = result.type === "output" ? "tool:post" : "tool:error";
  if (context.events.hears(name)) {
    context.events.emit(name, { ...describeCall(call, context), result });
  }
}

function endState(result: ToolResult): CallState {
  if (result.type === "output") return "done";
  switch (result.metadata.error_code) {
    case "cancelled":
      return "cancelled";
    case "rejected-by-user":
      return "rejected-by-user";
    default:
      return "error";
  }
}
