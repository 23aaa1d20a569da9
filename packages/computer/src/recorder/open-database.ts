import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { toErrorMessage } from "@haft/contract/internal";
import { makeDirectories } from "../session/make-directories.ts";

/** The layout of a database of ours. */
export interface DatabaseLayout {
  /** What it is, with its article: "a recording". */
  readonly what: string;
  /** Tells it from databases of other programs, and from our others. */
  readonly applicationId: number;
  /** A database of another version is refused. */
  readonly version: number;
  /** SQL that creates the tables. */
  readonly schema: string;
  /**
   * `FULL`: commits survive a power failure. `NORMAL`: they survive the process, and after a power
   * failure the database is intact, but may lack the last commits.
   */
  readonly synchronous: "FULL" | "NORMAL";
}

/** The path of a database, and the class that opens it. */
export interface DatabaseLocation {
  readonly path: string;
  /** Passed in, so that callers without a database need not load SQLite. */
  readonly Database: typeof DatabaseSync;
}

/** Opens or creates a database that is private to this user; refuses files that hold something else. */
export function openDatabase(
  { path, Database }: DatabaseLocation,
  layout: DatabaseLayout,
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivate(path);
    database = new Database(path, { timeout: busyTimeoutMs });
    requireOurs(database, path, layout);
    useWriteAheadLog(database);
    database.exec(`PRAGMA synchronous = ${layout.synchronous}`);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof LayoutFault ? error : unreadable(path, layout, error);
  }
}

const busyTimeoutMs = 5000;

class LayoutFault extends Error {}

function makePrivate(path: string): void {
  makeDirectories(dirname(path), 0o700);
  // SQLite would make it readable for everyone; its other files take on the mode of this one.
  closeSync(openSync(path, "a", 0o600));
}

function requireOurs(database: DatabaseSync, path: string, layout: DatabaseLayout): void {
  // Takes the write lock first, so that of two processes that find an empty file one makes the tables.
  database.exec("BEGIN IMMEDIATE");
  try {
    const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
    if (isEmpty) {
      database.exec(layout.schema);
      database.exec(`PRAGMA application_id = ${layout.applicationId}`);
      database.exec(`PRAGMA user_version = ${layout.version}`);
    } else {
      requireVersion(database, path, layout);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function requireVersion(database: DatabaseSync, path: string, layout: DatabaseLayout): void {
  const { what } = layout;
  if (readPragma(database, "application_id") !== layout.applicationId) {
    throw new LayoutFault(`${path} is a database, but not ${what} of Haft. Choose another file.`);
  }
  const version = readPragma(database, "user_version");
  if (version !== layout.version) {
    throw new LayoutFault(
      `${path} is ${what} of version ${version}; this version of Haft reads version ${layout.version}. Use the version of Haft that wrote it, or choose another file.`,
    );
  }
}

function readPragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

const maxAttempts = 50;

// Switching needs exclusive access, and SQLite does not wait for that.
function useWriteAheadLog(database: DatabaseSync): void {
  for (let attempt = 1; readPragma(database, "journal_mode") !== "wal"; attempt++) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (attempt === maxAttempts || !isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function unreadable(path: string, { what }: DatabaseLayout, cause: unknown): Error {
  const reason = toErrorMessage(cause);
  return new Error(
    `${path} can't be opened as ${what}: ${reason}. Check that the disk has space and the file is writable; if it is something else, move it away.`,
    { cause },
  );
}
