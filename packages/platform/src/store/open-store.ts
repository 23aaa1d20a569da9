import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { Pool, types } from "pg";
import { migrate } from "./migrate.ts";
import type { Tables } from "./schema.ts";
import { openSqliteConnection } from "./sqlite-connection.ts";
import type { Store, StoreLocation } from "./store.ts";

const int8 = 20;

/** Opens a store and brings its tables up to date. */
export async function openStore(location: StoreLocation): Promise<Store> {
  const { kind } = location;
  const db = new Kysely<Tables>({ dialect: toDialect(location) });
  try {
    await migrate(db, kind);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { kind, db, close: () => db.destroy() };
}

function toDialect(location: StoreLocation): SqliteDialect | PostgresDialect {
  if (location.kind === "sqlite") {
    return new SqliteDialect({ database: async () => openSqliteConnection(location.path) });
  }
  const pool = new Pool({
    connectionString: location.url,
    max: 20,
    // Moments and counts fit into a number.
    types: {
      getTypeParser: ((id: number, format?: "text" | "binary") =>
        id === int8 ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser,
    },
  });
  // A connection that breaks while nobody uses it is no reason to end: the next query opens another.
  pool.on("error", () => undefined);
  return new PostgresDialect({ pool });
}
