export {
  createDiskComputer,
  type DiskComputer,
  type DiskComputerOptions,
} from "./disk/disk-computer.ts";
export { isProtectedPath } from "./paths/protected-path.ts";
export { isSecretPath } from "./paths/secret-path.ts";
export {
  openSqliteRecorder,
  type RecordedSession,
  type SqliteRecorder,
  type SqliteRecorderOptions,
} from "./recorder/sqlite-recorder.ts";
export type { DiskSession } from "./session/disk-session.ts";
export type { JournalEntry } from "./session/journal-entry.ts";
export { listSessions, type SessionSummary } from "./session/list-sessions.ts";
export { readJournal, readJournalBlob } from "./session/read-journal.ts";
export { stateDirectory } from "./session/state-directory.ts";
