import type { Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";

/** The interactions or the simulation that were rolled back. */
export const rollbackBody = {
  type: "object",
  properties: {
    conversation_id: { type: "string", pattern: idPattern as string },
    interaction_ids: {
      type: "array",
      maxItems: 1_000,
      items: { type: "string", pattern: idPattern as string },
    },
    simulation_unit_test_set_run_id: { type: "string", pattern: idPattern as string },
  },
} as const;

/** The number of invocations that were rolled back. */
export const rollbackReply = {
  type: "object",
  properties: { rolled_back: { type: "integer" } },
  required: ["rolled_back"],
} as const;

/** The interactions or the simulation that were rolled back. */
export type RollbackRequest = Wire<typeof rollbackBody>;
