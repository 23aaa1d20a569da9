import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";

// Statements are made once: preparing one takes longer than running it.
const mostStatements = 500;

// Asking takes microseconds, and a request asks several times.
const freshMs = 1;

// Who will write says so at once, and waits for others: a transaction that began by reading could
// only fail when somebody else has written meanwhile.
const begin = "begin immediate";

/** A database file, as Kysely sees it. */
export interface SqliteConnection extends SqliteDatabase {
  /** Another number a moment after somebody else has changed the file. */
  dataVersion(): number;
}

/**
 * Opens a database file for Kysely. What is acknowledged is on the disk: the write-ahead log is
 * flushed at every commit.
 */
export function openSqliteConnection(path: string): SqliteConnection {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  database.exec("PRAGMA foreign_keys = ON");
  // The log is brought into the file in larger parts: each time takes a flush of its own.
  database.exec("PRAGMA wal_autocheckpoint = 8000");
  database.exec("PRAGMA temp_store = MEMORY");
  const statements = new Map<string, SqliteStatement>();
  const dataVersion = database.prepare("PRAGMA data_version");
  let lookedAt = Number.NEGATIVE_INFINITY;
  let known = 0;
  return {
    dataVersion: () => {
      const now = performance.now();
      if (now - lookedAt > freshMs) {
        lookedAt = now;
        known = dataVersion.get()?.data_version as number;
      }
      return known;
    },
    close: () => {
      statements.clear();
      database.close();
    },
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= mostStatements) statements.clear();
      const statement =
        sql === "rollback"
          ? createRollback(database)
          : toStatement(database.prepare(sql === "begin" ? begin : sql));
      statements.set(sql, statement);
      return statement;
    },
  };
}

// Where the disk is full SQLite has rolled back already; to do it again would hide the reason.
function createRollback(database: DatabaseSync): SqliteStatement {
  const statement = toStatement(database.prepare("rollback"));
  return {
    ...statement,
    run: (parameters) =>
      database.isTransaction ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 },
  };
}

function toStatement(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]): SQLInputValue[] => [
    ...(parameters as readonly SQLInputValue[]),
  ];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
