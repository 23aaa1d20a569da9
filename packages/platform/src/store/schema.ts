import type { Generated } from "kysely";
import type { AuditChainRow, AuditRow } from "./audit-rows.ts";
import type { ConsoleSessionRow } from "./console-session-row.ts";
import type { Bit, InvocationRow } from "./invocation-row.ts";
import type { CanaryRow, LatestMoveRow } from "./latest-rows.ts";
import type {
  ApiKeyRow,
  OrganizationRow,
  RoleRow,
  UserRow,
  UserVariableRow,
} from "./organization-rows.ts";
import type { InvocationHourRow, InvocationPayloadRow, RetentionRow } from "./room-rows.ts";
import type { ScheduleRow, ScheduleRunRow } from "./schedule-rows.ts";
import type {
  AnnouncedQuestionRow,
  AsyncInvocationRow,
  InboxItemRow,
  InvocationEventRow,
  InvocationStepRow,
} from "./waiting-rows.ts";
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "./webhook-rows.ts";

export type { AuditRow } from "./audit-rows.ts";
export type { ConsoleSessionRow } from "./console-session-row.ts";
export type { Bit, InvocationRow } from "./invocation-row.ts";
export type { CanaryRow, LatestMoveRow } from "./latest-rows.ts";
export type {
  ApiKeyRow,
  OrganizationRow,
  RoleRow,
  UserRow,
  UserVariableRow,
} from "./organization-rows.ts";
export type { InvocationHourRow, InvocationPayloadRow, RetentionRow } from "./room-rows.ts";
export type { ScheduleRow, ScheduleRunRow } from "./schedule-rows.ts";
export type {
  AnnouncedQuestionRow,
  AsyncInvocationRow,
  InboxItemRow,
  InvocationEventRow,
  InvocationStepRow,
} from "./waiting-rows.ts";
export type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "./webhook-rows.ts";

// The same tables for SQLite and PostgreSQL: timestamps are milliseconds, booleans are 0 or 1,
// structured values are JSON text.

export interface ToolRow {
  id: string;
  org_id: string;
  name: string;
  description: string;
  deprecated: Bit;
  creator_user_id: string;
  updated_by_user_id: string;
  created_at: number;
  updated_at: number;
  /** The version that `latest` names. Null: the highest that is active and no candidate. */
  latest_version_id: string | null;
}

export interface ToolTagRow {
  tool_id: string;
  org_id: string;
  key: string;
  value: string | null;
}

export interface ToolSetRow {
  id: string;
  org_id: string;
  name: string;
  /** For models that use the set; may be empty. */
  instructions: string;
  creator_user_id: string;
  updated_by_user_id: string;
  created_at: number;
  updated_at: number;
}

export interface ToolSetToolRow {
  set_id: string;
  position: number;
  tool_id: string;
  /** Exact, `latest` or a constraint. */
  version: string;
  /** The tool's name in the set; null for its own. */
  name: string | null;
  /** Added to the tool's description; may be empty. */
  instructions: string;
}

export interface ToolVariableRow {
  tool_id: string;
  org_id: string;
  name: string;
  is_secret: Bit;
  /** Sealed; empty once deleted. */
  value: string;
  updated_at: number;
  deleted_at: number | null;
}

export interface ToolVersionRow {
  id: string;
  org_id: string;
  tool_id: string;
  major: number;
  minor: number;
  patch: number;
  /** Counts the versions of a tool, from 1. */
  sequence: number;
  runtime: "node" | "python";
  /** JSON: the parsed `tool.json` of the project. */
  manifest: string;
  /** JSON. */
  input_schema: string;
  /** JSON: names. */
  required_envvars: string;
  /** JSON: names. */
  required_secret_envvars: string;
  commit_hash: string;
  scaffold_commit_hash: string;
  project_directory: string;
  artifact_digest: string;
  lockfile_digest: string | null;
  deprecated: Bit;
  creator_user_id: string;
  updated_by_user_id: string;
  created_at: number;
  updated_at: number;
  /** Whether only its exact number names it. */
  candidate: Bit;
}

export interface ArtifactRow {
  /** SHA-256 of the content, in hexadecimal. */
  digest: string;
  content: Uint8Array;
  created_at: number;
}

/** An operation on a tool. A unique index allows one running operation per tool. */
export interface OperationRow {
  id: string;
  org_id: string;
  tool_id: string;
  kind: "publish" | "deprecate-version" | "deprecate-tool";
  state: "checking" | "building" | "storing" | "active" | "failed";
  user_id: string;
  /** The process that runs it. */
  owner: string;
  log: string;
  error: string | null;
  version: string | null;
  started_at: number;
  ended_at: number | null;
}

/** A key with one of its clients, as invocations refer to it. Rows never change. */
export interface CallerRow {
  id: Generated<number>;
  org_id: string;
  key_id: string;
  /** The key's name when it was first used with this client. */
  key_name: string | null;
  /** The key's user. */
  user_id: string;
  /** Such as `curl/8.5.0`; empty if it is not known. */
  client: string;
}

/** A long invocation that has not ended yet. */
export interface RunningInvocationRow {
  id: string;
  org_id: string;
  /** The process that waits for it. */
  owner: string;
  /** JSON: the known columns of its row. */
  draft: string;
  started_at: number;
  /** JSON: what it printed so far. */
  printed: string | null;
}

/** A process that serves or works on this store. */
export interface ProcessRow {
  id: string;
  role: string;
  heartbeat_at: number;
  /** Identifies the process on its machine, if the system provides that. */
  mark: string | null;
  /** JSON: the ids of its master keys; null if unknown. */
  key_ids: string | null;
}

/** Work that an API process requests from a worker. PostgreSQL only. */
export interface RemoteWorkRow {
  id: string;
  kind: string;
  /** Sealed JSON. */
  request: string;
  /** The requesting process. */
  asker: string;
  /** The process that runs it, once started. */
  owner: string | null;
  /** Sealed JSON, once it is done. */
  result: string | null;
  created_at: number;
}

/** A stored answer for repeated requests with the same idempotency key. */
export interface IdempotentAnswerRow {
  org_id: string;
  key: string;
  /** Hash of the route and the body. */
  request_hash: string;
  /** HTTP status; 0 while the request is running. */
  status: number;
  /** JSON. */
  headers: string;
  body: string;
  owner: string;
  created_at: number;
}

/** A setting of the whole installation. */
export interface SettingRow {
  name: string;
  value: string;
}

/** All tables. */
export interface Tables {
  organizations: OrganizationRow;
  users: UserRow;
  roles: RoleRow;
  api_keys: ApiKeyRow;
  console_sessions: ConsoleSessionRow;
  user_variables: UserVariableRow;
  tools: ToolRow;
  tool_tags: ToolTagRow;
  tool_variables: ToolVariableRow;
  tool_sets: ToolSetRow;
  tool_set_tools: ToolSetToolRow;
  tool_versions: ToolVersionRow;
  latest_moves: LatestMoveRow;
  canaries: CanaryRow;
  artifacts: ArtifactRow;
  operations: OperationRow;
  invocations: InvocationRow;
  invocation_payloads: InvocationPayloadRow;
  invocation_hours: InvocationHourRow;
  retention: RetentionRow;
  callers: CallerRow;
  running_invocations: RunningInvocationRow;
  processes: ProcessRow;
  remote_work: RemoteWorkRow;
  idempotent_answers: IdempotentAnswerRow;
  async_invocations: AsyncInvocationRow;
  invocation_steps: InvocationStepRow;
  invocation_events: InvocationEventRow;
  inbox_items: InboxItemRow;
  announced_questions: AnnouncedQuestionRow;
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_attempts: WebhookAttemptRow;
  schedules: ScheduleRow;
  schedule_runs: ScheduleRunRow;
  audit: AuditRow;
  audit_chains: AuditChainRow;
  settings: SettingRow;
}
