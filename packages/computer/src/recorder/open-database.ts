import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { makeDirectories } from "../session/make-directories.ts";

/** What a database of ours holds. */
export interface DatabaseLayout {
  /** What it is, with its article: "a recording". */
  readonly what: string;
  /** Tells it from the databases of other programs, and from our others. */
  readonly applicationId: number;
  /** A database of another version is refused, not misread. */
  readonly version: number;
  /** Makes what is in it. */
  readonly schema: string;
  /**
   * `FULL`: what is committed outlives a loss of power. `NORMAL`: it outlives the process, and after a loss
   * of power the database is whole, but may lack the last commits.
   */
  readonly synchronous: "FULL" | "NORMAL";
}

/** Where a database is, and what opens it. */
export interface DatabasePlace {
  readonly path: string;
  /** Handed in, so that who needs no database need not load SQLite. */
  readonly Database: typeof DatabaseSync;
}

/** Opens a database for this user alone, or makes it; a file that holds something else is refused. */
export function openDatabase(
  { path, Database }: DatabasePlace,
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
  // SQLite would make it readable for everybody; its other files take on the mode of this one.
  closeSync(openSync(path, "a", 0o600));
}

function requireOurs(database: DatabaseSync, path: string, layout: DatabaseLayout): void {
  // Takes the write lock first, so that of two who find an empty file one makes the tables.
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
    throw new LayoutFault(`${path} is a database, but not ${what} of Haft. Name another file.`);
  }
  const version = readPragma(database, "user_version");
  if (version !== layout.version) {
    throw new LayoutFault(
      `${path} is ${what} of version ${version}, and this Haft reads version ${layout.version}. Use the Haft that wrote it, or name another file.`,
    );
  }
}

function readPragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

const mostAttempts = 50;

// To switch, a connection needs the file for itself, and SQLite does not wait for that.
function useWriteAheadLog(database: DatabaseSync): void {
  for (let attempt = 1; readPragma(database, "journal_mode") !== "wal"; attempt++) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (attempt === mostAttempts || !isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function unreadable(path: string, { what }: DatabaseLayout, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `${path} cannot be opened as ${what}: ${reason}. See that there is room for it and that it may be written; if it is something else, move it away.`,
    { cause },
  );
}
