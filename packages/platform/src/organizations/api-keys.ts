import type { Kysely, Selectable } from "kysely";
import { newApiKey, toKeyHash } from "../auth/api-key.ts";
import { parseGrants } from "../auth/grants.ts";
import type { Principal } from "../auth/principal.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { ApiKeyRow, RoleRow, Tables } from "../store/schema.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import { createAdministratorCheck } from "./administrator-check.ts";
import { requireGrantable } from "./require-grantable.ts";
import { requireMayGrant } from "./require-may-grant.ts";

/** A new key, the only time that it can be seen. */
export interface CreatedApiKey {
  readonly keyId: string;
  readonly apiKey: string;
  readonly expiresAt: number;
}

/** What a new key is to be. */
export interface NewApiKey {
  readonly name: string | null;
  readonly durationMs: number;
  readonly roleName: string;
  /** What the key narrows its role to, in the form of a role's permissions. Default: all of it. */
  readonly permissions?: readonly string[] | undefined;
  /** Whose it is; without it, the creator's own. */
  readonly userId?: string | undefined;
}

/** An organization's API keys. */
export interface ApiKeys {
  create(principal: Principal, key: NewApiKey): Promise<CreatedApiKey>;
  list(principal: Principal): Promise<readonly Selectable<ApiKeyRow>[]>;
  /** At once, and with it every token made with it. Not the organization's last administrator key. */
  delete(principal: Principal, keyId: string): Promise<void>;
  /**
   * Makes another key of the same user and role; the old one ends after `graceMs`. Without a
   * duration it is as long as the old one's. An organization keeps an administrator key.
   */
  rotate(
    principal: Principal,
    keyId: string,
    options: { readonly graceMs: number; readonly durationMs?: number | undefined },
  ): Promise<CreatedApiKey>;
}

/** Keeps API keys, or rather their hashes. */
export function createApiKeys(parts: Pick<PlatformParts, "store" | "audit" | "now">): ApiKeys {
  const { store, audit } = parts;
  const administrators = createAdministratorCheck(parts);
  return {
    create: async (principal, key) => {
      const { name, durationMs, roleName, userId = principal.userId } = key;
      requireMayActFor(principal, userId);
      const made = newKey(parts.now(), durationMs);
      await store.db.transaction().execute(async (transaction) => {
        const role = await requireRole(transaction, principal.organization, roleName);
        requireMayGrant(principal, parseGrants(role.permissions));
        const own =
          key.permissions === undefined
            ? null
            : await requireGrantable(transaction, principal.organization, key.permissions);
        await requireUser(transaction, principal.organization, userId);
        const permissions = own === null ? null : JSON.stringify(own);
        const owner = { user_id: userId, role_id: role.id, name, permissions };
        await insert(transaction, principal, { ...made.row, ...owner });
        const { keyId: target, expiresAt } = made.created;
        const detail = {
          ...{ name, role: roleName, user_id: userId, expires_at: expiresAt },
          ...(own !== null && { permissions: own }),
        };
        await audit.record(transaction, principal, { action: "api_key.create", target, detail });
      });
      store.touch();
      return made.created;
    },

    list: ({ organization }) =>
      store.db
        .selectFrom("api_keys")
        .selectAll()
        .where("org_id", "=", organization)
        .orderBy("created_at")
        .orderBy("id")
        .execute(),

    delete: async (principal, keyId) => {
      await store.db.transaction().execute(async (transaction) => {
        await administrators.lock(transaction, principal.organization);
        const old = await requireKey(transaction, principal.organization, keyId);
        await transaction.deleteFrom("api_keys").where("id", "=", old.id).execute();
        await administrators.requireAnother(transaction, old);
        await audit.record(transaction, principal, { action: "api_key.delete", target: keyId });
      });
      store.touch();
    },

    rotate: async (principal, keyId, { graceMs, durationMs }) => {
      const created = await store.db.transaction().execute(async (transaction) => {
        const now = parts.now();
        await administrators.lock(transaction, principal.organization);
        const old = await requireKey(transaction, principal.organization, keyId);
        if (old.expires_at <= now) throw noSuchKey();
        requireMayActFor(principal, old.user_id);
        requireMayGrant(principal, parseGrants(old.permissions));
        const made = newKey(now, durationMs ?? old.expires_at - old.created_at);
        const { user_id, role_id, name, own: permissions } = old;
        const owner = { user_id, role_id, name, permissions };
        await insert(transaction, principal, { ...made.row, ...owner });
        if (graceMs > 0) {
          await transaction
            .updateTable("api_keys")
            .set({ expires_at: Math.min(old.expires_at, now + graceMs), updated_at: now })
            .where("id", "=", old.id)
            .execute();
        } else await transaction.deleteFrom("api_keys").where("id", "=", old.id).execute();
        await transaction
          .updateTable("schedules")
          .set({ key_id: made.created.keyId })
          .where("key_id", "=", keyId)
          .execute();
        await administrators.requireAnother(transaction, old);
        const detail = { new_key_id: made.created.keyId, grace_ms: graceMs };
        const entry = { action: "api_key.rotate", target: keyId, detail };
        await audit.record(transaction, principal, entry);
        return made.created;
      });
      store.touch();
      return created;
    },
  };

  async function requireRole(
    db: Kysely<Tables>,
    organization: string,
    name: string,
  ): Promise<Selectable<RoleRow>> {
    const role = await db
      .selectFrom("roles")
      .selectAll()
      .where("org_id", "=", organization)
      // PostgreSQL can't look for a zero byte. No role has one, nor an empty name.
      .where("name", "=", name.includes("\0") ? "" : name)
      // Not to be deleted meanwhile. On SQLite there is no other writer during a transaction.
      .$if(store.kind === "postgres", (query) => query.forShare())
      .executeTakeFirst();
    if (role !== undefined) return role;
    const known = await db
      .selectFrom("roles")
      .select("name")
      .where("org_id", "=", organization)
      .orderBy("name")
      .limit(50)
      .execute();
    throw new Problem(
      400,
      `There is no role ${JSON.stringify(name.slice(0, 100))}. Known are: ${known.map((each) => each.name).join(", ")}.`,
    );
  }

  function requireKey(
    db: Kysely<Tables>,
    organization: string,
    keyId: string,
  ): Promise<
    Omit<Selectable<ApiKeyRow>, "permissions"> &
      Pick<RoleRow, "permissions"> & { readonly own: string | null }
  > {
    return (
      db
        .selectFrom("api_keys")
        .innerJoin("roles", "roles.id", "api_keys.role_id")
        .select([
          ...(["id", "key_id", "org_id", "user_id", "role_id", "creator_user_id"] as const).map(
            (column) => `api_keys.${column}` as const,
          ),
          ...(["name", "hash", "created_at", "updated_at", "expires_at"] as const).map(
            (column) => `api_keys.${column}` as const,
          ),
          "api_keys.permissions as own",
          "roles.permissions",
        ])
        .where("api_keys.org_id", "=", organization)
        .where("api_keys.key_id", "=", keyId)
        // Of two who rotate it at once, the second finds it gone.
        .$if(store.kind === "postgres", (query) => query.forUpdate("api_keys"))
        .executeTakeFirstOrThrow(noSuchKey)
    );
  }
}

/** Returns what a key narrows its role to, from its row; null if it doesn't. */
export function readOwnPermissions(stored: string | null): string[] | null {
  return stored === null ? null : readStoredJsonOr<string[]>(stored, [], isTextList);
}

type NewKeyRow = Pick<
  ApiKeyRow,
  "key_id" | "hash" | "created_at" | "expires_at" | "user_id" | "role_id" | "name" | "permissions"
>;

function newKey(
  now: number,
  durationMs: number,
): {
  readonly created: CreatedApiKey;
  readonly row: Pick<NewKeyRow, "key_id" | "hash" | "created_at" | "expires_at">;
} {
  const [keyId, apiKey, expiresAt] = [newId(), newApiKey(), Math.round(now + durationMs)];
  return {
    created: { keyId, apiKey, expiresAt },
    row: { key_id: keyId, hash: toKeyHash(apiKey), created_at: now, expires_at: expiresAt },
  };
}

async function insert(db: Kysely<Tables>, principal: Principal, row: NewKeyRow): Promise<void> {
  await db
    .insertInto("api_keys")
    .values({
      ...row,
      id: newId(),
      org_id: principal.organization,
      creator_user_id: principal.userId,
      updated_at: row.created_at,
    })
    .execute();
}

async function requireUser(
  db: Kysely<Tables>,
  organization: string,
  userId: string,
): Promise<void> {
  await db
    .selectFrom("users")
    .select("id")
    .where("org_id", "=", organization)
    .where("id", "=", userId)
    .executeTakeFirstOrThrow(() => new Problem(404, "There is no such user."));
}

// Who has a key of somebody is that user, so it takes who may make users.
function requireMayActFor(principal: Principal, userId: string): void {
  if (userId === principal.userId || principal.may("User:CreateUser")) return;
  throw new Problem(403, "A key of another user takes the permission User:CreateUser.");
}

function noSuchKey(): Problem {
  return new Problem(404, "There is no such API key.");
}
