import type { DatabaseSync } from "node:sqlite";
import { recordingVersion } from "@haft/core";
import { openDatabase } from "./open-database.ts";

/** Opens the database at a path, or makes it; a file that is not a recording of ours is refused. */
export function openRecording(path: string, Database: typeof DatabaseSync): DatabaseSync {
  return openDatabase({ path, Database }, recording);
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
`;

const recording = {
  what: "a recording",
  // "Haft" in ASCII.
  applicationId: 0x48616674,
  version: recordingVersion,
  schema,
  synchronous: "FULL",
} as const;
