import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { createTables } from "./migrations/0001-tables.ts";
import { createHistory } from "./migrations/0002-history.ts";
import { createRemoteWork } from "./migrations/0003-remote-work.ts";
import type { Tables } from "./schema.ts";
import type { StoreKind } from "./store.ts";
import type { StoreMigration } from "./store-migration.ts";

const migrations: Readonly<Record<string, StoreMigration>> = {
  "0001-tables": createTables,
  "0002-history": createHistory,
  "0003-remote-work": createRemoteWork,
};

/** Brings the tables up to date, wholly or not at all. Processes that start at once wait for each other. */
export async function migrate(db: Kysely<Tables>, kind: StoreKind): Promise<void> {
  // Kysely takes no lock on SQLite, and no transaction.
  if (kind === "postgres") return migrateWith(db, kind);
  await db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await migrateWith(connection, kind);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function migrateWith(db: Kysely<Tables>, kind: StoreKind): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, step]) => [name, step(kind)])),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  throw new Error(`The tables can't be brought up to date: ${(error as Error).message}`, {
    cause: error,
  });
}
