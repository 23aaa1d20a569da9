import type { PlatformParts } from "../platform-parts.ts";
import type { SearchIndex } from "./search-index.ts";

type Parts = Pick<PlatformParts, "store" | "settings" | "now">;

const dayMs = 24 * 60 * 60 * 1000;
// Small, so that other queries do not wait long.
const batch = 200;

/** Forgets what is older than the settings say, with its entries in the search index. */
export async function forgetOldInvocations(parts: Parts, index: SearchIndex): Promise<void> {
  const { historyDays } = parts.settings;
  if (historyDays === undefined) return;
  const before = parts.now() - historyDays * dayMs;
  while (await forgetSome(parts, index, before)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns whether there may be more. */
async function forgetSome({ store }: Parts, index: SearchIndex, before: number): Promise<boolean> {
  return store.db.transaction().execute(async (db) => {
    // History is in the order in which invocations ended, which is nearly the order of their age.
    const oldest = await db
      .selectFrom("invocations")
      .select(["seq", "created_at"])
      .orderBy("seq")
      .limit(batch)
      .execute();
    const seqs = oldest.filter(({ created_at }) => created_at < before).map(({ seq }) => seq);
    if (seqs.length === 0) return false;
    await db.deleteFrom("invocations").where("seq", "in", seqs).execute();
    await index.remove(db, seqs);
    return oldest.length === batch;
  });
}
