import type { Store } from "../store/store.ts";
import { createSecretBox, findKeyId } from "./create-secret-box.ts";
import type { MasterKeyLocation } from "./master-keys.ts";
import { openMasterKeys } from "./master-keys.ts";
import { settingContext } from "./sealed-context.ts";
import { sealedValueReaders } from "./sealed-values.ts";
import type { SecretBox } from "./secret-box.ts";

const setting = "master-key-check";
const constant = "haft";

/**
 * Opens the secret box of a store and checks that its master key is the one that sealed the store's
 * secrets. The first process creates the key, and stores a sealed constant that later ones check.
 */
export async function openStoreSecretBox(
  store: Store,
  location: MasterKeyLocation,
): Promise<SecretBox> {
  const sample = (await findCheck(store)) ?? (await findSealed(store));
  const keys = openMasterKeys({ ...location, isNeeded: sample !== undefined });
  const box = createSecretBox(keys);
  if (sample !== undefined) requireOpens(box, sample, keys.origin);
  const context = settingContext(setting);
  await store.db
    .insertInto("settings")
    .values({ name: setting, value: box.seal(constant, context) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another process may have stored its check first, sealed with another key.
  const check = await findCheck(store);
  if (check !== undefined) requireOpens(box, check, keys.origin);
  return box;
}

interface Sample {
  readonly value: string;
  readonly context: readonly string[];
}

async function findCheck({ db }: Store): Promise<Sample | undefined> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setting)
    .executeTakeFirst();
  return row === undefined ? undefined : { value: row.value, context: settingContext(setting) };
}

/** Returns any sealed value, for a store that was created before the check existed. */
async function findSealed({ db }: Store): Promise<Sample | undefined> {
  for (const read of sealedValueReaders.toReversed()) {
    const [found] = await read(db, "", { offset: 0, limit: 1 });
    if (found !== undefined) return found;
  }
  return undefined;
}

function requireOpens(box: SecretBox, { value, context }: Sample, origin: string): void {
  try {
    box.open(value, context);
  } catch (cause) {
    const sealedWith = findKeyId(value);
    if (sealedWith === undefined || box.keyIds().includes(sealedWith)) {
      throw new Error(
        `A sealed value in the database is damaged (${context.join(" ")}). Restore a backup. If it is the setting ${setting}, you can delete its row instead.`,
        { cause },
      );
    }
    throw new Error(
      `The master key in ${origin} (${box.keyIds().join(", ")}) is not the one that the secrets in this database are sealed with (${sealedWith}). Start every process of a database with the same HAFT_MASTER_KEY, or with a copy of the same master.key.`,
      { cause },
    );
  }
}
