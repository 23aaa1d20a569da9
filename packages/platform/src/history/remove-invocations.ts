import type { Kysely } from "kysely";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { removeFromCounts } from "./hourly-counts.ts";
import { findIndexEnd } from "./index-next.ts";
import { deletePayloads } from "./payloads.ts";
import type { SearchIndex } from "./search-index.ts";

/** What history consists of. */
export interface HistoryParts {
  readonly store: Pick<Store, "kind">;
  readonly index: SearchIndex;
}

/** Deletes invocations, within a transaction, with everything that was made from them. */
export async function removeInvocations(
  db: Kysely<Tables>,
  { store, index }: HistoryParts,
  seqs: readonly number[],
): Promise<void> {
  if (seqs.length === 0) return;
  const end = await findIndexEnd(db, store);
  const rows = await db
    .deleteFrom("invocations")
    .where("seq", "in", seqs)
    .returning(["id", "seq", "apart", "org_id", "tool_id", "major", "minor", "patch"])
    .returning(["created_at", "succeeded", "duration_ms"])
    .execute();
  await deletePayloads(
    db,
    rows.filter(({ apart }) => apart !== null).map(({ id }) => id),
  );
  await index.remove(db, seqs);
  await removeFromCounts(
    db,
    rows.filter(({ seq }) => seq <= end),
  );
}
