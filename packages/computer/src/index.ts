export {
  createDiskComputer,
  type DiskComputer,
  type DiskComputerOptions,
  type SandboxMode,
} from "./disk/disk-computer.ts";
export type {
  AppliedComputerLayer,
  LayeredComputer,
  LayerScope,
} from "./layered-computer/layered-computer.ts";
export type { LayerSupport } from "./layers/examine-layers.ts";
export type { RecordedHead } from "./recorder/call-row.ts";
export {
  openSqliteRecorder,
  type RecordedSession,
  type SoughtCall,
  type SqliteRecorder,
  type SqliteRecorderOptions,
} from "./recorder/sqlite-recorder.ts";
export type { SearchIndexes } from "./search/index-process/search-index.ts";
export type { DiskSession } from "./session/disk-session.ts";
export type { SandboxExamination } from "./shell/examine-sandbox.ts";
export type { ProgramEnd, ProgramStart, StartedProgram } from "./shell/started-program.ts";
export type { ProjectItem, ProjectItemKind } from "./trust/project-item.ts";
export type { ProjectTrust, TrustAnswer, TrustAnswers, TrustEntry } from "./trust/project-trust.ts";
