import type { Kysely } from "kysely";
import { newApiKey, toKeyHash } from "../auth/api-key.ts";
import { administratorRole, everyPermission } from "../auth/permissions.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Tables } from "../store/schema.ts";
import { requireName } from "./require-name.ts";

/** How an organization's first user gets in. */
export interface AdministratorAccess {
  readonly organization: string;
  readonly user_id: string;
  readonly api_key_id: string;
  readonly api_key: string;
}

/** Ten years. */
export const administratorKeyMs: number = 3_650 * 86_400_000;

/** Makes an organization with a user who may do everything, and a key for that user. */
export async function createOrganization(
  parts: Pick<PlatformParts, "store" | "audit" | "now">,
  name: string,
): Promise<AdministratorAccess> {
  const access = newAdministratorAccess();
  const chosen = requireName("an organization", name);
  const isNew = await parts.store.db
    .transaction()
    .execute((transaction) => insertOrganization(parts, transaction, { ...access, name: chosen }));
  if (!isNew) throw new Problem(409, `There is an organization ${chosen} already.`);
  parts.store.touch();
  return access;
}

/** Thinks of everything that a new organization needs. */
export function newAdministratorAccess(): AdministratorAccess {
  return {
    organization: newId(),
    user_id: newId(),
    api_key_id: newId(),
    api_key: newApiKey(),
  };
}

/** Writes a new organization; `false` if there is one of that name or id. */
export async function insertOrganization(
  parts: Pick<PlatformParts, "audit" | "now">,
  db: Kysely<Tables>,
  given: AdministratorAccess & { readonly name: string },
): Promise<boolean> {
  const { organization, user_id, name } = given;
  const now = parts.now();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("organizations")
    .values({ id: organization, name, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await db
    .insertInto("users")
    .values({ id: user_id, org_id: organization, name: "administrator", created_at: now })
    .execute();
  const role_id = newId();
  await db
    .insertInto("roles")
    .values({
      id: role_id,
      org_id: organization,
      name: administratorRole,
      permissions: JSON.stringify([everyPermission]),
      created_at: now,
    })
    .execute();
  await db
    .insertInto("api_keys")
    .values({
      id: newId(),
      key_id: given.api_key_id,
      org_id: organization,
      user_id,
      role_id,
      creator_user_id: user_id,
      name: "administrator",
      hash: toKeyHash(given.api_key),
      created_at: now,
      updated_at: now,
      expires_at: now + administratorKeyMs,
    })
    .execute();
  const author = { organization, userId: user_id, keyId: "" };
  const entry = { action: "organization.create", target: organization, detail: { name } };
  await parts.audit.record(db, author, entry);
  return true;
}
