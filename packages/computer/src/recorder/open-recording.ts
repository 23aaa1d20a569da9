import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { recordingVersion } from "@haft/core";
import { makeDirectories } from "../session/make-directories.ts";

/** Opens the database at a path, or makes it; a file that is not a recording of ours is refused. */
export function openRecording(path: string, Database: typeof DatabaseSync): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivate(path);
    database = new Database(path, { timeout: busyTimeoutMs });
    requireOurs(database, path);
    useWriteAheadLog(database);
    database.exec("PRAGMA synchronous = FULL");
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof RecordingFault ? error : unreadable(path, error);
  }
}

const busyTimeoutMs = 5000;

// "Haft" in ASCII: tells our databases from those of other programs.
const applicationId = 0x48616674;

class RecordingFault extends Error {}

function makePrivate(path: string): void {
  makeDirectories(dirname(path), 0o700);
  // SQLite would make it readable for everybody; its other files take on the mode of this one.
  closeSync(openSync(path, "a", 0o600));
}

function requireOurs(database: DatabaseSync, path: string): void {
  // Takes the write lock first, so that of two who find an empty file one makes the tables.
  database.exec("BEGIN IMMEDIATE");
  try {
    const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
    if (isEmpty) database.exec(schema);
    else requireVersion(database, path);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

const schema = `
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    call_id TEXT NOT NULL,
    name TEXT NOT NULL,
    tool TEXT,
    arguments TEXT NOT NULL,
    dialect TEXT NOT NULL,
    started_at REAL NOT NULL,
    state TEXT NOT NULL,
    result TEXT NOT NULL
  ) STRICT;
  CREATE INDEX calls_by_session ON calls (session, id);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${recordingVersion};
`;

function requireVersion(database: DatabaseSync, path: string): void {
  if (readPragma(database, "application_id") !== applicationId) {
    throw new RecordingFault(
      `${path} is a database, but not a recording of Haft. Name another file.`,
    );
  }
  const version = readPragma(database, "user_version");
  if (version !== recordingVersion) {
    throw new RecordingFault(
      `${path} is a recording of version ${version}, and this Haft reads version ${recordingVersion}. Use the Haft that wrote it, or name another file.`,
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

function unreadable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `${path} cannot be opened as a recording: ${reason}. See that there is room for it and that it may be written; if it is something else, move it away.`,
    { cause },
  );
}
