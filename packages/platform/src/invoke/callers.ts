import { clipText } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";
import type { Principal } from "../auth/principal.ts";
import type { CallerRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { createBoundedCache } from "../versions/bounded-cache.ts";

/** Finds the row of `callers` for a key and its client. */
export interface Callers {
  /** Adds the row if it is missing. Answers at once if it was asked for before. */
  find(
    principal: Pick<Principal, "organization" | "userId" | "keyId">,
    client: string | undefined,
  ): number | Promise<number>;
}

const maxKnown = 10_000;
const maxClientCharacters = 100;
// A client chooses its own name, so their number has to end somewhere.
const maxClientsPerKey = 200;
const anyOtherClient = "other";

/** Creates the callers of a store. */
export function createCallers(store: Pick<Store, "db">): Callers {
  const known = createBoundedCache<number>(maxKnown);
  return {
    find: (principal, client) => {
      const name = toClientName(client);
      const key = `${principal.organization} ${principal.keyId} ${name}`;
      const id = known.get(key);
      if (id !== undefined) return id;
      return findOrAdd(store, principal, name).then((found) => {
        known.set(key, found, 1);
        return found;
      });
    },
  };
}

/** Makes a client's own name safe to show. */
function toClientName(client: string | undefined): string {
  return client === undefined ? "" : clipText(toVisibleLine(client.trim()), maxClientCharacters);
}

type Caller = Pick<CallerRow, "org_id" | "key_id" | "client">;

async function findOrAdd(
  store: Pick<Store, "db">,
  { organization, userId, keyId }: Pick<Principal, "organization" | "userId" | "keyId">,
  client: string,
): Promise<number> {
  const caller = { org_id: organization, key_id: keyId, client };
  const found = await findRow(store, caller);
  if (found !== undefined) return found;
  const { count } = await store.db
    .selectFrom("callers")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("org_id", "=", organization)
    .where("key_id", "=", keyId)
    .executeTakeFirstOrThrow();
  const added = count >= maxClientsPerKey ? { ...caller, client: anyOtherClient } : caller;
  const key = await store.db
    .selectFrom("api_keys")
    .select("name")
    .where("org_id", "=", organization)
    .where("key_id", "=", keyId)
    .executeTakeFirst();
  await store.db
    .insertInto("callers")
    .values({ ...added, key_name: key?.name ?? null, user_id: userId })
    // Another process may have added it meanwhile.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findRow(store, added)) as number;
}

async function findRow(store: Pick<Store, "db">, caller: Caller): Promise<number | undefined> {
  const row = await store.db
    .selectFrom("callers")
    .select("id")
    .where("org_id", "=", caller.org_id)
    .where("key_id", "=", caller.key_id)
    .where("client", "=", caller.client)
    .executeTakeFirst();
  return row?.id;
}
