import type { Kysely } from "kysely";
import { parseGrants } from "../auth/grants.ts";
import { administratorRole, permissions } from "../auth/permissions.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { ApiKeyRow, RoleRow, Tables } from "../store/schema.ts";

/** Keeps an organization from losing the last key that can make others of every kind. */
export interface AdministratorCheck {
  /** Makes other transactions that take keys away wait until this one has ended. */
  lock(transaction: Kysely<Tables>, organization: string): Promise<void>;
  /** Throws a `Problem` 409 if no administrator key stands in for this one, which is gone or ends. */
  requireAnother(
    transaction: Kysely<Tables>,
    taken: Pick<ApiKeyRow, "org_id" | "expires_at"> & KeyPermissions,
  ): Promise<void>;
}

/** The permissions of a key's role, and what the key narrows them to. */
interface KeyPermissions extends Pick<RoleRow, "permissions"> {
  readonly own: ApiKeyRow["permissions"];
}

// A key that ends in a moment stands in for none: that long it is valid, or as long as the old one.
const minValidMs = 24 * 60 * 60 * 1000;

/** Creates the check. */
export function createAdministratorCheck({
  store,
  now,
}: Pick<PlatformParts, "store" | "now">): AdministratorCheck {
  return {
    lock: async (transaction, organization) => {
      // On SQLite there is no other writer during a transaction.
      if (store.kind !== "postgres") return;
      await transaction
        .selectFrom("organizations")
        .select("id")
        .where("id", "=", organization)
        .forUpdate()
        .execute();
    },
    requireAnother: async (transaction, taken) => {
      const time = now();
      if (taken.expires_at <= time || !isAdministrator(taken)) return;
      const others = await transaction
        .selectFrom("api_keys")
        .innerJoin("roles", "roles.id", "api_keys.role_id")
        .select(["roles.permissions", "api_keys.permissions as own"])
        .distinct()
        .where("api_keys.org_id", "=", taken.org_id)
        .where("api_keys.expires_at", ">=", Math.min(taken.expires_at, time + minValidMs))
        .execute();
      if (others.some(isAdministrator)) return;
      throw new Problem(
        409,
        `This is the organization's last administrator key, and without one the organization could not be administered. Create another with the role ${administratorRole} that is valid for at least a day, then try again.`,
      );
    },
  };
}

function isAdministrator({ permissions: text, own }: KeyPermissions): boolean {
  return own === null && parseGrants(text).everywhere.size === permissions.length;
}
