import type { Selectable } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { UserRow } from "../store/schema.ts";
import { requireName } from "./require-name.ts";

/** An organization's users. */
export interface Users {
  create(principal: Principal, name: string): Promise<Selectable<UserRow>>;
  list(principal: Principal): Promise<readonly Selectable<UserRow>[]>;
}

/** Keeps users. */
export function createUsers(parts: Pick<PlatformParts, "store" | "audit" | "now">): Users {
  const { store, audit } = parts;
  return {
    create: async (principal, name) => {
      const user = {
        id: newId(),
        org_id: principal.organization,
        name: requireName("a user", name),
        created_at: parts.now(),
      };
      await store.db.transaction().execute(async (transaction) => {
        await transaction.insertInto("users").values(user).execute();
        const entry = { action: "user.create", target: user.id, detail: { name: user.name } };
        await audit.record(transaction, principal, entry);
      });
      store.touch();
      return user;
    },
    list: ({ organization }) =>
      store.db
        .selectFrom("users")
        .selectAll()
        .where("org_id", "=", organization)
        .orderBy("created_at")
        .orderBy("id")
        .execute(),
  };
}
