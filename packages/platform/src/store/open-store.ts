import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { Pool, types } from "pg";
import { migrate } from "./migrate.ts";
import type { Tables } from "./schema.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-connection.ts";
import type { Store, StoreLocation } from "./store.ts";

const int8 = 20;

/** Opens a store and brings its tables up to date. */
export async function openStore(location: StoreLocation): Promise<Store> {
  const { kind } = location;
  const connection = kind === "sqlite" ? openSqliteConnection(location.path) : undefined;
  const pool = kind === "postgres" ? openPool(location.url) : undefined;
  const db = new Kysely<Tables>({
    dialect:
      pool === undefined
        ? new SqliteDialect({ database: connection as SqliteConnection })
        : new PostgresDialect({ pool }),
  });
  try {
    await migrate(db, kind);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  let changes = 0;
  return {
    kind,
    db,
    ...(pool !== undefined && { pool }),
    generation: () =>
      connection === undefined ? undefined : `${connection.dataVersion()}.${changes}`,
    touch: () => {
      changes += 1;
    },
    close: () => db.destroy(),
  };
}

function openPool(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: 20,
    // Moments and counts fit into a number.
    types: {
      getTypeParser: ((id: number, format?: "text" | "binary") =>
        id === int8 ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser,
    },
  });
  // A connection that breaks while nobody uses it is no reason to end: the next query opens another.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}
