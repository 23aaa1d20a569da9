import type { Kysely } from "kysely";
import type { Tables } from "../store/schema.ts";
import { parseGrants } from "./grants.ts";
import type { Principal } from "./principal.ts";
import { createToolLimits } from "./tool-limits.ts";

/** An API key as stored, with its user and role. */
export interface Identity {
  readonly principal: Principal;
  readonly roleId: string;
  readonly keyHash: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** Finds the key of a signed-in browser by the hash of the browser's token. */
export async function findSessionIdentity(
  db: Kysely<Tables>,
  hash: string,
): Promise<Identity | undefined> {
  const session = await db
    .selectFrom("console_sessions")
    .select(["key_id", "expires_at"])
    .where("hash", "=", hash)
    .where("kind", "=", "session")
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const identity = await findIdentity(db, { keyId: session.key_id });
  return identity && { ...identity, expiresAt: Math.min(identity.expiresAt, session.expires_at) };
}

/** Finds a key by its hash or its id. */
export async function findIdentity(
  db: Kysely<Tables>,
  by: { readonly hash: string } | { readonly keyId: string },
): Promise<Identity | undefined> {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("roles", (join) =>
      join.onRef("roles.id", "=", "api_keys.role_id").onRef("roles.org_id", "=", "api_keys.org_id"),
    )
    .select([
      "api_keys.key_id",
      "api_keys.org_id",
      "api_keys.user_id",
      "api_keys.role_id",
      "api_keys.hash",
      "api_keys.expires_at",
      "roles.name",
      "roles.permissions",
      "api_keys.permissions as own",
    ])
    .where(
      "hash" in by ? "api_keys.hash" : "api_keys.key_id",
      "=",
      "hash" in by ? by.hash : by.keyId,
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // A key can have less than its role, never more.
  const grants = [row.permissions, ...(row.own === null ? [] : [row.own])].map(parseGrants);
  const limits = createToolLimits(db, row.org_id, grants);
  return {
    principal: {
      organization: row.org_id,
      userId: row.user_id,
      keyId: row.key_id,
      role: row.name,
      may: (permission) => grants.every(({ everywhere }) => everywhere.has(permission)),
      ...(limits !== undefined && { limits }),
    },
    roleId: row.role_id,
    keyHash: row.hash,
    expiresAt: row.expires_at,
  };
}
