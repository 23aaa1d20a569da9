import type { CallState, JsonValue } from "@haft/contract";
import type { CallEvent } from "../events/events.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";

/** Returns the event payload for the current state of a call. */
export function describeCall(call: Call, context: CallContext): CallEvent {
  return {
    session: context.storage.id,
    callId: call.id,
    name: call.name,
    tool: call.tool?.id,
    ...(call.within !== undefined && { parentId: call.within.id }),
    arguments: context.secrets.hideInData((call.args ?? call.sent) as JsonValue),
    state: call.state,
    repairs: call.repairs,
  };
}

/** Changes the state of a call and emits an event. */
export function enterState(call: Call, state: CallState, context: CallContext): void {
  call.state = state;
  if (context.events.hears("tool:state")) {
    context.events.emit("tool:state", describeCall(call, context));
  }
}
