import { randomBytes } from "node:crypto";
import type { PlatformParts } from "../platform-parts.ts";
import { settingContext } from "../secrets/sealed-context.ts";

const setting = "token-secret";

/**
 * Opens the secret that signs tokens, shared by all processes on a store. Creates it the first time.
 * Throws if the master key is not the store's, so call it when the server starts.
 */
export async function openTokenSecret(
  parts: Pick<PlatformParts, "store" | "secrets">,
): Promise<Uint8Array> {
  const { store, secrets } = parts;
  const context = settingContext(setting);
  const find = () =>
    store.db.selectFrom("settings").select("value").where("name", "=", setting).executeTakeFirst();
  let found = await find();
  if (found === undefined) {
    const value = secrets.seal(randomBytes(32).toString("base64url"), context);
    // If another process stored one first, that one is used.
    await store.db
      .insertInto("settings")
      .values({ name: setting, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    store.touch();
    found = await find();
  }
  if (found === undefined) throw new Error("The database lost a row that was just written.");
  try {
    return Buffer.from(secrets.open(found.value, context), "base64url");
  } catch (error) {
    throw new Error(
      `${(error as Error).message} Restore a backup, or delete the row ${setting} of the table settings; all users then have to sign in again.`,
      { cause: error },
    );
  }
}
