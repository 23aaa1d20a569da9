import { close, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { type Kysely, sql } from "kysely";
import type { Tables } from "./schema.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { StoreFailure } from "./store-failure.ts";

/** Transactions whose changes are flushed to the disk later, without blocking this thread. */
export interface LaterFlush {
  /** Runs a transaction. Its changes survive a crash of the machine only after `flush`. */
  transact<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Resolves when the changes of all transactions so far are on the disk. */
  flush(): Promise<void>;
  close(): void;
}

const flushFile = promisify(fdatasync);

/**
 * Commits of SQLite are flushed by this thread, which meanwhile does nothing else. Here SQLite only
 * writes its log, and another thread flushes that: the same as SQLite does, in the same order.
 */
export function createSqliteLaterFlush(
  db: Kysely<Tables>,
  connection: Pick<SqliteConnection, "setFlushing">,
  { path, onFailure }: { readonly path: string; onFailure(failure: StoreFailure): void },
): LaterFlush {
  let log: number | undefined;
  return {
    transact: (work) =>
      db.connection().execute(async (own) => {
        connection.setFlushing(false);
        try {
          await sql`begin`.execute(own);
          const result = await work(own);
          await sql`commit`.execute(own);
          return result;
        } catch (error) {
          // SQLite may have done that already. The first error is the one that counts.
          await sql`rollback`.execute(own).catch(() => undefined);
          throw error;
        } finally {
          connection.setFlushing(true);
        }
      }),
    flush: async () => {
      // Nothing of it is on a disk.
      if (path === ":memory:") return;
      try {
        // The log stays the same file for as long as the database is open.
        log ??= openSync(`${path}-wal`, "r+");
        await flushFile(log);
      } catch (error) {
        const failure = new StoreFailure("failed", error);
        onFailure(failure);
        throw failure;
      }
    },
    close: () => {
      if (log !== undefined) close(log);
      log = undefined;
    },
  };
}

/** PostgreSQL flushes in its own processes. */
export function createPostgresLaterFlush(db: Kysely<Tables>): LaterFlush {
  return {
    transact: (work) => db.transaction().execute(work),
    flush: async () => undefined,
    close: () => undefined,
  };
}
