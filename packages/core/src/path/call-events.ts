import type { CallState, JsonValue } from "@haft/contract";
import type { CallEvent } from "../events/events.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";

/** What events say about a call at this moment. */
export function describeCall(call: Call, context: CallContext): CallEvent {
  return {
    session: context.storage.id,
    callId: call.id,
    name: call.name,
    tool: call.tool?.id,
    arguments: context.secrets.hideInData((call.args ?? call.sent) as JsonValue),
    state: call.state,
    repairs: call.repairs,
  };
}

/** Moves the call to another state and says so. */
export function enterState(call: Call, state: CallState, context: CallContext): void {
  call.state = state;
  if (context.events.hears("tool:state")) {
    context.events.emit("tool:state", describeCall(call, context));
  }
}
