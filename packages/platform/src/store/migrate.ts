import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { createTables } from "./migrations/0001-tables.ts";
import { createHistory } from "./migrations/0002-history.ts";
import {
  addPrinted,
  createProcessKeys,
  createRemoteWork,
} from "./migrations/0003-0005-processes.ts";
import { createWaiting } from "./migrations/0006-waiting.ts";
import { addVersionPointers } from "./migrations/0008-versions.ts";
import { addCallers, addToolSets, chainAudit } from "./migrations/0009-access.ts";
import { createWebhooks } from "./migrations/0011-webhooks.ts";
import { createSchedules } from "./migrations/0012-schedules.ts";
import { addRoom } from "./migrations/0013-room.ts";
import { addConsole } from "./migrations/0014-console.ts";
import { addSessionEvents } from "./migrations/0015-sessions.ts";
import { addOverview } from "./migrations/0016-overview.ts";
import type { Tables } from "./schema.ts";
import type { StoreKind } from "./store.ts";
import { findStoreFailure } from "./store-failure.ts";
import type { StoreMigration } from "./store-migration.ts";

const migrations: Readonly<Record<string, StoreMigration>> = {
  "0001-tables": createTables,
  "0002-history": createHistory,
  "0003-remote-work": createRemoteWork,
  "0004-process-keys": createProcessKeys,
  "0005-printed": addPrinted,
  "0006-waiting": createWaiting,
  "0008-versions": addVersionPointers,
  "0009-1-callers": addCallers,
  "0009-2-audit-chain": chainAudit,
  "0009-3-tool-sets": addToolSets,
  "0011-webhooks": createWebhooks,
  "0012-schedules": createSchedules,
  "0013-room": addRoom,
  "0014-console": addConsole,
  "0015-sessions": addSessionEvents,
  "0016-overview": addOverview,
};

/** Options of a migration. */
export interface MigrateOptions {
  /** The database's name in errors. */
  readonly name: string;
  /** The error for a database without tables. Default: the tables are created. */
  readonly refuseEmpty?: string | undefined;
}

/** Migrates the tables, completely or not at all. Processes that start together wait for each other. */
export async function migrate(
  db: Kysely<Tables>,
  kind: StoreKind,
  options: MigrateOptions,
): Promise<void> {
  // On SQLite, Kysely takes neither a lock nor a transaction.
  if (kind === "postgres") {
    await requireOwnTables(db, kind, options);
    return migrateWith(db, kind, options.name);
  }
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await requireOwnTables(connection, kind, options);
      await migrateWith(connection, kind, options.name);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function migrateWith(db: Kysely<Tables>, kind: StoreKind, name: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, step]) => [name, step(kind)])),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (findStoreFailure(error) !== undefined || isDuplicateTable(error)) throw error;
  throw new Error(`The tables of ${name} can't be migrated: ${(error as Error).message}`, {
    cause: error,
  });
}

const migrationTable = "kysely_migration";

/** Refuses tables of a newer Haft or of another application, before anything is changed. */
async function requireOwnTables(
  db: Kysely<Tables>,
  kind: StoreKind,
  { name: database, refuseEmpty }: MigrateOptions,
): Promise<void> {
  const { rows } = await (kind === "sqlite"
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = current_schema()`
  ).execute(db);
  const tables = rows.map(({ name }) => name);
  const done = tables.includes(migrationTable)
    ? (await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(db)).rows
    : [];
  if (done.length === 0) {
    if (refuseEmpty !== undefined) throw new Error(refuseEmpty);
    const foreign =
      kind === "sqlite" ? tables.find((name) => !/^(?:sqlite_|kysely_)/u.test(name)) : undefined;
    if (foreign === undefined) return;
    throw new Error(
      `${database} has tables of another application (${foreign}). Give Haft its own data directory with --data DIR.`,
    );
  }
  const unknown = done.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  throw new Error(
    unknown.length === done.length
      ? `${database} has tables of another application (migration ${unknown[0]}). Give Haft its own database.`
      : `${database} was written by a newer version of Haft: it has the migration ${unknown.at(-1)}, which this version does not know. Start the newer version, or restore a backup from this one.`,
  );
}

function isDuplicateTable(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "42P07";
}
