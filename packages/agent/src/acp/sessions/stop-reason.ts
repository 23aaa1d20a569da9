import type { StopReason } from "@agentclientprotocol/sdk";
import type { TurnEnd } from "../../loop/agent-event.ts";

/** What a client is told of why a turn ended; an error is told otherwise. */
export const stopReasons: Readonly<Record<Exclude<TurnEnd, "error">, StopReason>> = {
  end: "end_turn",
  "max-steps": "max_turn_requests",
  // The same requests over and over are too many of them.
  loop: "max_turn_requests",
  "max-tokens": "max_tokens",
  "max-cost": "max_tokens",
  aborted: "cancelled",
};
