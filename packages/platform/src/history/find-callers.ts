import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import type { Invocation } from "./invocation-schemas.ts";

/** Which callers somebody asks for. Empty lists let every caller through. */
export interface CallersAsked {
  /** IDs or names. */
  readonly api_key: readonly string[];
  readonly user_id: readonly string[];
  /** How the names of clients begin. */
  readonly client: readonly string[];
}

/** Finds the rows of `callers` that are asked for; `undefined` if any caller will do. */
export async function findCallers(
  { db }: Pick<Store, "db">,
  organization: string,
  { api_key: keys, user_id: users, client: clients }: CallersAsked,
): Promise<readonly number[] | undefined> {
  if (keys.length + users.length + clients.length === 0) return undefined;
  const rows = await db
    .selectFrom("callers")
    .select("id")
    .where("org_id", "=", organization)
    .$if(keys.length > 0, (query) =>
      query.where((row) => row.or([row("key_id", "in", keys), row("key_name", "in", keys)])),
    )
    .$if(users.length > 0, (query) => query.where("user_id", "in", users))
    .$if(clients.length > 0, (query) =>
      query.where((row) =>
        row.or(
          clients.map((start) => sql<boolean>`substr(client, 1, ${[...start].length}) = ${start}`),
        ),
      ),
    )
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Reads callers by their row in the API's form. */
export async function readCallers(
  { db }: Pick<Store, "db">,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Invocation["caller"]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("callers")
    .selectAll()
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(
    rows.map(({ id, key_id, key_name, user_id, client }) => [
      id,
      { api_key_id: key_id, api_key_name: key_name, user_id, client: client || null },
    ]),
  );
}
