export type { KeysClient, RolesClient } from "./access.ts";
export {
  createPlatformClient,
  type Download,
  type PlatformClient,
  type PlatformClientOptions,
} from "./create-platform-client.ts";
export type { HistoryClient } from "./history.ts";
export type { InboxClient } from "./inbox.ts";
export type { FollowOptions, InvocationEvent, InvocationsClient } from "./invocations.ts";
export { type FieldProblem, PlatformError } from "./platform-error.ts";
export type { RepositoryClient } from "./repository.ts";
export type {
  BranchPage,
  CommitPage,
  RepositoryDiff,
  RepositoryFile,
  RepositoryLocation,
  RepositoryTree,
  TextPageQuery,
} from "./repository-types.ts";
export type { Method, RequestOptions } from "./requester.ts";
export type { ToolsClient } from "./tools.ts";
export type {
  Invoked,
  InvokeOptions,
  PublishListener,
  PublishProgress,
  VersionsClient,
} from "./versions.ts";
export type {
  AcceptedInvocations,
  ApiKey,
  AsyncInvocation,
  Bump,
  InboxItem,
  InboxPage,
  InboxQuery,
  Invocation,
  InvocationFilter,
  InvocationInput,
  InvocationLogs,
  InvocationMode,
  InvocationPage,
  InvocationQuery,
  InvocationResult,
  InvocationResults,
  InvocationSearch,
  InvocationStatus,
  IssuedApiKey,
  Moment,
  NewApiKey,
  NewTool,
  Page,
  PrintedLogs,
  Publication,
  Role,
  RunningInvocations,
  Tag,
  TestRequest,
  Tool,
  ToolChange,
  ToolPage,
  ToolQuery,
  ToolVersion,
  UserInfo,
  VariableChanges,
  VersionNumber,
  VersionPage,
  VersionQuery,
  Whoami,
} from "./wire-types.ts";
