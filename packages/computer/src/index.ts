export {
  createDiskComputer,
  type DiskComputer,
  type DiskComputerOptions,
  type SandboxMode,
} from "./disk/disk-computer.ts";
export { createGuardedFetch, type GuardedFetchOptions } from "./net/guarded-fetch.ts";
export { explainListening, toServerUrl } from "./net/local-server/listening.ts";
export {
  createOriginGuard,
  createTokenGuard,
  type Refusal,
  type RequestGuard,
} from "./net/local-server/request-guards.ts";
export { isProtectedPath } from "./paths/protected-path.ts";
export { isSecretPath } from "./paths/secret-path.ts";
export type { RecordedHead } from "./recorder/call-row.ts";
export { describeHolder, isHolding } from "./recorder/holder.ts";
export { type DatabaseLayout, type DatabasePlace, openDatabase } from "./recorder/open-database.ts";
export {
  openSqliteRecorder,
  type RecordedSession,
  type SoughtCall,
  type SqliteRecorder,
  type SqliteRecorderOptions,
} from "./recorder/sqlite-recorder.ts";
export type { SearchIndexes } from "./search/index-process/search-index.ts";
export { sharedSearchIndexes } from "./search/index-process/shared-search-indexes.ts";
export { findRipgrep, type Ripgrep } from "./search/ripgrep.ts";
export type { DiskSession } from "./session/disk-session.ts";
export { type KeptJobs, listKeptJobs } from "./session/list-kept-jobs.ts";
export { listSessions, type SessionSummary } from "./session/list-sessions.ts";
export { readSmallFile, replaceSmallFile } from "./session/small-file.ts";
export { stateDirectory } from "./session/state-directory.ts";
export type { SandboxExamination } from "./shell/examine-sandbox.ts";
export type { ProgramEnd, ProgramStart, StartedProgram } from "./shell/started-program.ts";
export {
  createExecutableWatchdog,
  type ExecutableWatchdogOptions,
} from "./watchdog/executable-watchdog.ts";
