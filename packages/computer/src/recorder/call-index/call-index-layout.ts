import type { DatabaseLayout } from "../open-database.ts";

const schema = `
  CREATE TABLE calls (
    -- The row of the recording.
    row INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    call_id TEXT NOT NULL,
    -- The call that made it, by its call ID.
    parent_id TEXT,
    name TEXT NOT NULL,
    tool TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at REAL NOT NULL,
    duration_ms REAL NOT NULL,
    asked_ms REAL NOT NULL,
    queued_ms REAL NOT NULL,
    error_code TEXT,
    isolation TEXT,
    -- As JSON.
    passage TEXT,
    -- The beginning of the arguments and of the result, as text.
    title TEXT NOT NULL,
    preview TEXT NOT NULL,
    -- The first changed files as JSON, and the number of all of them.
    files TEXT NOT NULL,
    changed INTEGER NOT NULL,
    -- The file name of the whole output.
    sidecar TEXT,
    -- The session that the call started.
    child TEXT,
    tokens INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX calls_by_session ON calls (session, started_at, row);
  CREATE INDEX calls_by_id ON calls (session, call_id, row);
  CREATE INDEX calls_by_time ON calls (started_at);

  CREATE TABLE sessions (
    session TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    first_at REAL NOT NULL,
    last_at REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE files (
    session TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (session, path)
  ) STRICT, WITHOUT ROWID;

  -- How far the recording is indexed.
  CREATE TABLE taken (row INTEGER NOT NULL) STRICT;
  INSERT INTO taken VALUES (0);
`;

/** The index of the recording. It can be removed: it is made again from the recording. */
export const callIndexLayout: DatabaseLayout = {
  what: "an index of recorded calls",
  // "HafI" in ASCII.
  applicationId: 0x48616649,
  version: 1,
  schema,
  synchronous: "NORMAL",
};
