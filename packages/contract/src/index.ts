export type { ChangeHistory, PastCall, PastChange } from "./change-history.ts";
export type { Cleanup, Coordinator, Mount, Mounted } from "./coordinator.ts";
export { defineTool, type ToolDefinition } from "./define-tool.ts";
export type {
  Approval,
  CallState,
  HookRemark,
  Isolation,
  Metadata,
  ToolFailure,
  ToolOutput,
  ToolResult,
} from "./envelope.ts";
export { type ErrorCode, type ErrorCodeFacts, errorCodes } from "./error-codes.ts";
export type { ExecutionProfile, ResourceKey, ResourceType } from "./execution-profile.ts";
export type { FileQuery, FoundFiles, FoundText, TextMatch, TextQuery } from "./file-search.ts";
export type {
  ByteSplice,
  ByteWindow,
  ChangeReceipt,
  DirectoryEntry,
  FileKind,
  FileStat,
  FileSystem,
  LoadedFile,
  PathChange,
  PathState,
  WriteOptions,
  WriteReceipt,
} from "./file-system.ts";
export type { FromSchema } from "./from-schema.ts";
export type { JsonSchema, JsonTypeName, JsonValue, ObjectSchema } from "./json-schema.ts";
export type { ModuleTool } from "./module-tool.ts";
export type { Net, NetRequest, NetResponse } from "./net.ts";
export {
  compileRequirements,
  type Grant,
  type GrantLocations,
} from "./requirements/compile-requirements.ts";
export type {
  ArgPattern,
  HostPattern,
  PathPattern,
  RequirementSet,
  ShellRunRequirement,
  Variables,
} from "./requirements/requirement-set.ts";
export type {
  Progress,
  Question,
  Runtime,
  RuntimeHost,
  RuntimeSession,
  SessionState,
} from "./runtime.ts";
export type {
  AppliedChanges,
  CommandChange,
  CommandOutput,
  CommandResult,
  CommandRun,
  DiscardedChanges,
  Job,
  JobOutput,
  Jobs,
  JobWait,
  ProgramResult,
  ProgramRun,
  RunningProcess,
  Shell,
} from "./shell.ts";
export type {
  OutputLimit,
  PrepareEnvironment,
  ResultPersistence,
  Tool,
  ToolAlias,
  ToolKind,
  ToolSource,
} from "./tool.ts";
export type { CatalogEntry, ToolCatalog } from "./tool-catalog.ts";
export { ToolError, type ToolErrorOptions } from "./tool-error.ts";
