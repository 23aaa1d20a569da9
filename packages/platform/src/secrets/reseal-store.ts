import type { Store } from "../store/store.ts";
import { sealWith } from "./create-secret-box.ts";
import type { MasterKey } from "./master-key.ts";
import type { SealedValue, SealedValueReader } from "./sealed-values.ts";
import { sealedValueReaders } from "./sealed-values.ts";
import type { SecretBox } from "./secret-box.ts";

/** The parts of a pass over the store. */
export interface Resealing {
  readonly store: Store;
  /** Opens the values that are stored now. */
  readonly box: SecretBox;
  /** Seals them again. */
  readonly key: MasterKey;
  /** Called after every few values. */
  readonly report: () => Promise<void>;
}

/** The outcome of a pass. */
export interface Resealed {
  readonly count: number;
  /** The contexts of values that can't be opened. */
  readonly stuck: readonly string[];
}

/** Seals everything in the store with one key. If interrupted, finished values stay resealed. */
export async function resealStore(resealing: Resealing): Promise<Resealed> {
  let count = 0;
  const stuck: string[] = [];
  for (const read of sealedValueReaders) {
    const table = await resealTable(resealing, read);
    count += table.count;
    stuck.push(...table.stuck);
  }
  return { count, stuck };
}

// On SQLite many rows share one flush. On PostgreSQL each row has its own transaction: a larger one
// could deadlock with a writer that changes the same rows in another order.
const batch = { sqlite: 100, postgres: 1 };
const pageSize = 100;

async function resealTable(resealing: Resealing, read: SealedValueReader): Promise<Resealed> {
  const { store, key } = resealing;
  const stuck = new Set<string>();
  let count = 0;
  for (;;) {
    const before = count + stuck.size;
    const page = await read(store.db, key.id, { offset: stuck.size, limit: pageSize });
    for (let at = 0; at < page.length; at += batch[store.kind]) {
      const values = page.slice(at, at + batch[store.kind]);
      const done = await resealBatch(resealing, values);
      count += done.count;
      for (const name of done.stuck) stuck.add(name);
    }
    // Values that another writer has changed in the meantime are left to the next pass.
    if (page.length < pageSize || count + stuck.size === before) {
      return { count, stuck: [...stuck] };
    }
  }
}

async function resealBatch(
  { store, box, key, report }: Resealing,
  values: readonly SealedValue[],
): Promise<Resealed> {
  const stuck: string[] = [];
  const replacements: [SealedValue, string][] = [];
  for (const each of values) {
    try {
      replacements.push([each, sealWith(key, box.open(each.value, each.context), each.context)]);
    } catch {
      stuck.push(each.context.join(" "));
    }
  }
  let count = 0;
  await store.db.transaction().execute(async (transaction) => {
    for (const [each, sealed] of replacements) {
      if (await each.replace(transaction, sealed)) count += 1;
    }
  });
  if (count > 0) store.touch();
  await report();
  return { count, stuck };
}
