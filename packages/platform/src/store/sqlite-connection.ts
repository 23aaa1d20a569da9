import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import { createFileShrinker, type FileShrinker } from "./shrink-file.ts";

// Statements are made once: preparing one takes longer than running it.
const maxStatements = 500;

// A transaction takes the write lock when it begins and waits for others there. One that began by
// reading would fail as soon as another process has written in the meantime.
const begin = "begin immediate";

// Waiting for a lock blocks this thread. After one wait has timed out, the next attempts wait less.
const lockTimeoutMs = 10_000;
const shortLockTimeoutMs = 100;
const busyCode = 5;

/** A database file behind the interface that Kysely uses. */
export interface SqliteConnection extends SqliteDatabase {
  /** Returns a number that changes whenever another connection has changed the file. */
  dataVersion(): number;
  readonly shrinker: FileShrinker;
  /** Whether commits are flushed to the disk, as they are at first. Call it outside of transactions. */
  setFlushing(isFlushing: boolean): void;
}

/**
 * Opens a database file for Kysely. A committed change is on the disk: the write-ahead log is flushed
 * at every commit.
 */
export function openSqliteConnection(path: string): SqliteConnection {
  const database = new DatabaseSync(path, { timeout: lockTimeoutMs });
  // Works for a new file only. Others are converted by `shrink-file.ts`.
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  database.exec("PRAGMA foreign_keys = ON");
  // Checkpoint the log rarely: each checkpoint costs a flush of its own.
  database.exec("PRAGMA wal_autocheckpoint = 8000");
  database.exec("PRAGMA temp_store = MEMORY");
  const statements = new Map<string, SqliteStatement>();
  const patience = new Patience(database);
  const dataVersion = database.prepare("PRAGMA data_version");
  dataVersion.setReturnArrays(true);
  let currentVersion: number | undefined;
  const forgetVersion = (): void => {
    currentVersion = undefined;
  };
  return {
    shrinker: createFileShrinker(database, path),
    setFlushing: (isFlushing) =>
      database.exec(`PRAGMA synchronous = ${isFlushing ? "FULL" : "NORMAL"}`),
    // The query takes 2 µs and a request needs the number several times. It is kept until the code
    // that runs now has returned, and no longer: what another process has acknowledged can only be
    // learnt after that, and must then be seen.
    dataVersion: () => {
      if (currentVersion === undefined) {
        const [version] = dataVersion.get() as unknown as readonly [number];
        currentVersion = version;
        queueMicrotask(forgetVersion);
      }
      return currentVersion;
    },
    close: () => {
      statements.clear();
      database.close();
    },
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= maxStatements) statements.clear();
      const statement =
        sql === "rollback"
          ? createRollback(database, patience)
          : toStatement(database.prepare(sql === "begin" ? begin : sql), patience);
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** Waits long for locks until a wait times out, then only briefly until a write succeeds. */
class Patience {
  readonly #database: DatabaseSync;
  #isShort = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  run<Result>(write: () => Result): Result {
    try {
      const done = write();
      if (this.#isShort) this.#wait(lockTimeoutMs);
      return done;
    } catch (error) {
      const { errcode = 0 } = error as { readonly errcode?: number };
      if (errcode % 256 === busyCode) this.#wait(shortLockTimeoutMs);
      throw error;
    }
  }

  #wait(milliseconds: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${milliseconds}`);
    this.#isShort = milliseconds === shortLockTimeoutMs;
  }
}

// When the disk is full, SQLite has already rolled back. A second rollback would hide the reason.
function createRollback(database: DatabaseSync, patience: Patience): SqliteStatement {
  const statement = toStatement(database.prepare("rollback"), patience);
  return {
    ...statement,
    run: (parameters) =>
      database.isTransaction ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 },
  };
}

function toStatement(statement: StatementSync, patience: Patience): SqliteStatement {
  type Values = readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as Values)),
    run: (parameters) => patience.run(() => statement.run(...(parameters as Values))),
    iterate: (parameters) => statement.iterate(...(parameters as Values)),
  };
}
