import type { Kysely } from "kysely";
import type { Tables } from "../store/schema.ts";

/** What was taken back: interactions of a conversation, all unless some are named, or a simulation. */
export type Rollback =
  | {
      readonly conversationId: string;
      readonly interactionIds?: readonly string[] | undefined;
    }
  | { readonly simulationRunId: string };

/**
 * Lets go of the ids of what was taken back. What was invoked stays in history. Returns how many
 * invocations that were.
 */
export async function rollBackInvocations(
  db: Kysely<Tables>,
  { organization, now }: { readonly organization: string; readonly now: number },
  rollback: Rollback,
): Promise<number> {
  let update = db
    .updateTable("invocations")
    .set({
      conversation_id: null,
      interaction_id: null,
      simulation_run_id: null,
      unit_test_id: null,
      run_index: null,
      updated_at: now,
    })
    .where("org_id", "=", organization);
  if ("simulationRunId" in rollback) {
    update = update.where("simulation_run_id", "=", rollback.simulationRunId);
  } else {
    const { conversationId, interactionIds } = rollback;
    if (interactionIds?.length === 0) return 0;
    update = update.where("conversation_id", "=", conversationId);
    if (interactionIds !== undefined) update = update.where("interaction_id", "in", interactionIds);
  }
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
