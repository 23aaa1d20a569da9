import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { type Client, Pool, type PoolClient, types } from "pg";
import { describeDatabase, explainOpenFailure } from "./explain-open-failure.ts";
import { createPostgresLaterFlush, createSqliteLaterFlush } from "./later-flush.ts";
import { migrate } from "./migrate.ts";
import type { Tables } from "./schema.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-connection.ts";
import { createReaderDialect } from "./sqlite-reader.ts";
import type { Store, StoreLocation } from "./store.ts";
import { findStoreFailure, type StoreFailure } from "./store-failure.ts";
import { watchDialect } from "./watched-dialect.ts";

const int8 = 20;

// The same as for SQLite. A query that waits longer fails instead of blocking its caller.
const lockTimeoutMs = 10_000;
// Set by a query: poolers such as PgBouncer refuse it as a connection parameter. A value that the
// operator has set for the database stays.
const setLockTimeout = `select set_config('lock_timeout', '${lockTimeoutMs}', false)
  where current_setting('lock_timeout') = '0'`;
const connectTimeoutMs = 10_000;
const queryTimeoutMs = 30_000;

/** Options for opening a store. */
export interface OpenStoreOptions {
  /** The error for a database without tables. Default: the tables are created. */
  readonly refuseEmpty?: string | undefined;
}

/** Opens a store and migrates its tables. The errors it throws tell an operator what to do. */
export async function openStore(
  location: StoreLocation,
  options: OpenStoreOptions = {},
): Promise<Store> {
  try {
    return await open(location, options);
  } catch (error) {
    throw explainOpenFailure(error, location);
  }
}

async function open(location: StoreLocation, options: OpenStoreOptions): Promise<Store> {
  const { kind } = location;
  const connection = kind === "sqlite" ? openSqliteConnection(location.path) : undefined;
  const pool = kind === "postgres" ? openPool(location.url) : undefined;
  const listeners: ((failure: StoreFailure) => void)[] = [];
  const dialect =
    pool === undefined
      ? new SqliteDialect({ database: connection as SqliteConnection })
      : new PostgresDialect({
          pool,
          onCreateConnection: async (fresh) =>
            void (await fresh.executeQuery(CompiledQuery.raw(setLockTimeout))),
        });
  const onFailure = (failure: StoreFailure): void => {
    for (const listener of listeners) listener(failure);
  };
  const db = new Kysely<Tables>({ dialect: watchDialect(dialect, onFailure) });
  const reader =
    location.kind === "postgres" || location.path === ":memory:"
      ? db
      : new Kysely<Tables>({
          dialect: watchDialect(createReaderDialect(location.path), onFailure),
        });
  const later =
    connection === undefined || location.kind !== "sqlite"
      ? createPostgresLaterFlush(db)
      : createSqliteLaterFlush(db, connection, { path: location.path, onFailure });
  try {
    const name = location.kind === "sqlite" ? location.path : describeDatabase(location.url);
    await migrate(db, kind, { ...options, name });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  let changes = 0;
  // The same text for as long as it is right: comparing it with itself takes no time.
  const known = { version: -1, changes: -1, text: "" };
  const findGeneration = ({ dataVersion }: SqliteConnection): string => {
    const version = dataVersion();
    if (version !== known.version || changes !== known.changes) {
      Object.assign(known, { version, changes, text: `${version}.${changes}` });
    }
    return known.text;
  };
  return {
    kind,
    db,
    reader,
    later,
    ...(pool !== undefined && { pool }),
    ...(connection !== undefined && { shrinker: connection.shrinker }),
    generation: () => (connection === undefined ? undefined : findGeneration(connection)),
    touch: () => {
      changes += 1;
    },
    watchFailures: (listener) => void listeners.push(listener),
    close: async () => {
      later.close();
      if (reader !== db) await reader.destroy();
      await db.destroy();
    },
  };
}

function openPool(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: 20,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    // Timestamps and counts fit into a number.
    types: {
      getTypeParser: ((id: number, format?: "text" | "binary") =>
        id === int8 ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser,
    },
  });
  // An idle connection that breaks must not end the process. The next query opens another.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  dropReadOnly(pool);
  return pool;
}

/**
 * Closes connections to a read-only database when they are returned. They keep that setting for as long as they
 * are open, even when the database has become writable.
 */
function dropReadOnly(pool: Pool): void {
  const readOnly = new WeakSet<PoolClient>();
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]): unknown => {
      const ran = query(...args);
      if (ran instanceof Promise) {
        ran.catch((error: unknown) => {
          if (findStoreFailure(error)?.reason === "read-only") readOnly.add(client);
        });
      }
      return ran;
    };
    client.query = watched as typeof client.query;
  });
  pool.on("release", (_error, client) => {
    // The pool removes a connection that is ending.
    if (readOnly.has(client)) void (client as unknown as Client).end().catch(() => {});
  });
}
