import { randomBytes } from "node:crypto";
import type { PlatformParts } from "../platform-parts.ts";
import { settingPlace } from "../secrets/sealed-place.ts";

const setting = "token-secret";

/**
 * What the tokens are signed with, the same for all processes on a store; made the first time.
 * Fails if the master key is not the one that the store was made with, so ask at the start.
 */
export async function openTokenSecret(
  parts: Pick<PlatformParts, "store" | "secrets">,
): Promise<Uint8Array> {
  const { store, secrets } = parts;
  const place = settingPlace(setting);
  const find = () =>
    store.db.selectFrom("settings").select("value").where("name", "=", setting).executeTakeFirst();
  let found = await find();
  if (found === undefined) {
    const value = secrets.seal(randomBytes(32).toString("base64url"), place);
    // Another process may be faster; then its secret holds.
    await store.db
      .insertInto("settings")
      .values({ name: setting, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    store.touch();
    found = await find();
  }
  if (found === undefined) throw new Error("The store does not keep what is written to it.");
  return Buffer.from(secrets.open(found.value, place), "base64url");
}
