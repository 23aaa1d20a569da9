import type { Selectable, Transaction } from "kysely";
import { parseGrants, toLimitedText } from "../auth/grants.ts";
import { administratorRole } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";
import type { RoleRow, Tables } from "../store/schema.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import { requireGrantable } from "./require-grantable.ts";
import { requireMayGrant } from "./require-may-grant.ts";
import { requireName } from "./require-name.ts";

/** What the holders of a key may do. */
export interface Role {
  readonly id: string;
  readonly name: string;
  /** Permissions, some of them limited to tools: `Tool:InvokeTool@set:support`. */
  readonly permissions: readonly string[];
  readonly createdAt: number;
}

/** An organization's roles. */
export interface Roles {
  /** Creates a role. It can only grant permissions that the principal has. */
  create(
    principal: Principal,
    role: { readonly name: string; readonly permissions: readonly string[] },
  ): Promise<Role>;
  list(principal: Principal): Promise<readonly Role[]>;
  /**
   * Replaces what a role grants, for its keys at once. The principal needs all permissions that the role
   * had and those that it gets.
   */
  replace(principal: Principal, name: string, permissions: readonly string[]): Promise<Role>;
  /** Not while a key has it. */
  delete(principal: Principal, name: string): Promise<void>;
}

/** Keeps roles. */
export function createRoles(parts: Pick<PlatformParts, "store" | "audit" | "now">): Roles {
  const { store, audit } = parts;
  const lockRole = async (
    transaction: Transaction<Tables>,
    { organization }: Principal,
    name: string,
  ): Promise<Selectable<RoleRow>> => {
    if (name === administratorRole) {
      throw new Problem(409, `The role ${administratorRole} can't be changed or deleted.`);
    }
    const role = await transaction
      .selectFrom("roles")
      .selectAll()
      .where("org_id", "=", organization)
      .where("name", "=", name)
      .$if(store.kind === "postgres", (query) => query.forUpdate())
      .executeTakeFirst();
    if (role === undefined) throw new Problem(404, `There is no role ${toShownName(name)}.`);
    return role;
  };
  return {
    create: async (principal, given) => {
      const name = requireRoleName(given.name);
      const createdAt = parts.now();
      const role = await store.db.transaction().execute(async (transaction): Promise<Role> => {
        const allowed = await requireGrantable(
          transaction,
          principal.organization,
          given.permissions,
        );
        requireMayGrant(principal, parseGrants(JSON.stringify(allowed)));
        const made = { id: newId(), name, permissions: allowed, createdAt };
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("roles")
          .values({
            id: made.id,
            org_id: principal.organization,
            name,
            permissions: JSON.stringify(allowed),
            created_at: createdAt,
          })
          .onConflict((conflict) => conflict.columns(["org_id", "name"]).doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) {
          throw new Problem(409, `There is a role ${name} already. Choose another name.`);
        }
        const detail = { name, permissions: allowed };
        const entry = { action: "role.create", target: made.id, detail };
        await audit.record(transaction, principal, entry);
        return made;
      });
      store.touch();
      return role;
    },

    list: async ({ organization }) => {
      const rows = await store.db
        .selectFrom("roles")
        .selectAll()
        .where("org_id", "=", organization)
        .orderBy("name")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        permissions: listPermissions(row.permissions),
        createdAt: row.created_at,
      }));
    },

    replace: async (principal, name, given) => {
      const role = await store.db.transaction().execute(async (transaction): Promise<Role> => {
        const stored = await lockRole(transaction, principal, name);
        requireMayGrant(principal, parseGrants(stored.permissions));
        const allowed = await requireGrantable(transaction, principal.organization, given);
        requireMayGrant(principal, parseGrants(JSON.stringify(allowed)));
        await transaction
          .updateTable("roles")
          .set({ permissions: JSON.stringify(allowed) })
          .where("id", "=", stored.id)
          .execute();
        const before = listPermissions(stored.permissions);
        const detail = { name, permissions: allowed, before };
        await audit.record(transaction, principal, {
          action: "role.replace",
          target: stored.id,
          detail,
        });
        return { id: stored.id, name, permissions: allowed, createdAt: stored.created_at };
      });
      store.touch();
      return role;
    },

    delete: async (principal, name) => {
      await store.db.transaction().execute(async (transaction) => {
        const role = await lockRole(transaction, principal, name);
        const key = await transaction
          .selectFrom("api_keys")
          .select("key_id")
          .where("role_id", "=", role.id)
          .executeTakeFirst();
        if (key !== undefined) {
          throw new Problem(
            409,
            `The role ${name} is in use by the API key ${key.key_id}. Delete its keys first.`,
          );
        }
        await transaction.deleteFrom("roles").where("id", "=", role.id).execute();
        const entry = { action: "role.delete", target: role.id, detail: { name } };
        await audit.record(transaction, principal, entry);
      });
      store.touch();
    },
  };
}

/** One role that is damaged allows nothing, and the others are listed beside it. */
function listPermissions(text: string): readonly string[] {
  const stored = readStoredJsonOr<string[]>(text, [], isTextList);
  const { everywhere, limited } = parseGrants(JSON.stringify(stored));
  return [...everywhere, ...limited.map(toLimitedText)];
}

function requireRoleName(name: string): string {
  const chosen = requireName("a role", name);
  // It stands in paths.
  if (/^\w[\w .-]*$/.test(chosen)) return chosen;
  throw new Problem(
    400,
    `${JSON.stringify(chosen)} can't be a role's name. Use letters, digits, spaces and _ . - only.`,
  );
}
