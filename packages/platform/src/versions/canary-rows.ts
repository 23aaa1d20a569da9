import type { Kysely } from "kysely";
import type { CanaryRow, Tables } from "../store/schema.ts";

/** Ends the canary of a tool, or the one with this ID. Returns it if this call ended it. */
export async function endCanary(
  db: Kysely<Tables>,
  toolId: string,
  {
    id,
    outcome,
    now,
  }: {
    readonly id?: string;
    readonly outcome: NonNullable<CanaryRow["outcome"]>;
    readonly now: number;
  },
): Promise<CanaryRow | undefined> {
  return db
    .updateTable("canaries")
    .set({ ended_at: now, outcome })
    .where("tool_id", "=", toolId)
    .where("ended_at", "is", null)
    .$if(id !== undefined, (query) => query.where("id", "=", id as string))
    .returningAll()
    .executeTakeFirst();
}

/** Returns the canary of a tool that was started last. */
export async function findLastCanary(
  db: Kysely<Tables>,
  toolId: string,
): Promise<CanaryRow | undefined> {
  return db
    .selectFrom("canaries")
    .selectAll()
    .where("tool_id", "=", toolId)
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}
