import type { DatabaseLayout } from "@haft/computer/internal";

/**
 * The rows of a thread have consecutive IDs in a range of their own, so that a thread can be read without an
 * index, from either end.
 */
export const rowsPerThread: number = 2 ** 25;

/** Maximum number of entries of a thread: messages use every second ID of its texts. */
export const maxEntries: number = rowsPerThread / 2 - 1;

/** The columns of a thread that are public. */
export const threadColumns =
  "number, id, name, workspace, parent, is_opaque, title, agent, created_at, updated_at, entries, calls, fork_of, forked_at";

const schema = `
  CREATE TABLE threads (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    workspace TEXT NOT NULL,
    parent TEXT,
    is_opaque INTEGER NOT NULL DEFAULT 0,
    -- Calls were made in the session, but nothing was said: it is known for searches only.
    is_silent INTEGER NOT NULL DEFAULT 0,
    title TEXT,
    agent TEXT,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    entries INTEGER NOT NULL DEFAULT 0,
    calls INTEGER NOT NULL DEFAULT 0,
    -- The thread that this one began as, and when the last was said of what they share.
    fork_of TEXT,
    forked_at REAL,
    -- The process that has it open.
    holder TEXT,
    indexed_entries INTEGER NOT NULL DEFAULT 0,
    indexed_calls INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    kind TEXT NOT NULL,
    calls INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER entries_counted AFTER INSERT ON entries BEGIN
    UPDATE threads SET entries = entries + 1, calls = calls + NEW.calls,
      updated_at = max(updated_at, NEW.time)
    WHERE number = NEW.id / ${rowsPerThread};
  END;

  CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2', prefix = '3');
  -- How far the recording of calls is indexed.
  CREATE TABLE indexed_recording (row INTEGER NOT NULL) STRICT;
  INSERT INTO indexed_recording VALUES (0);
`;

/** The database of threads. Committed data survives the process, but maybe not a power failure. */
export const threadLayout: DatabaseLayout = {
  what: "a record of threads",
  // "HafT" in ASCII.
  applicationId: 0x48616654,
  version: 1,
  schema,
  synchronous: "NORMAL",
};
