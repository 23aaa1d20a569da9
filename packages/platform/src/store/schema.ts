import type { Generated } from "kysely";

// One set of tables for SQLite and PostgreSQL: moments are milliseconds, truths are 0 or 1, whatever
// has a structure is JSON in text. `json` in a name's comment says so.

/** A truth. */
export type Bit = 0 | 1;

export interface OrganizationRow {
  id: string;
  name: string;
  created_at: number;
}

export interface UserRow {
  id: string;
  org_id: string;
  name: string;
  created_at: number;
}

export interface RoleRow {
  id: string;
  org_id: string;
  name: string;
  /** JSON: `Resource:Action`, or `*` for all. */
  permissions: string;
  created_at: number;
}

export interface ApiKeyRow {
  id: string;
  key_id: string;
  org_id: string;
  user_id: string;
  role_id: string;
  creator_user_id: string;
  name: string | null;
  /** SHA-256 of the key, in hexadecimal; the key itself is kept nowhere. */
  hash: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
}

export interface UserVariableRow {
  org_id: string;
  user_id: string;
  name: string;
  is_secret: Bit;
  /** Sealed. */
  value: string;
  updated_at: number;
}

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
}

export interface ToolTagRow {
  tool_id: string;
  org_id: string;
  key: string;
  value: string | null;
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
  /** JSON: the project's `tool.json`, as it was understood. */
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
}

export interface ArtifactRow {
  /** SHA-256 of the content, in hexadecimal. */
  digest: string;
  content: Uint8Array;
  created_at: number;
}

/** What is done to a tool that only one may do at a time; the store itself holds that. */
export interface OperationRow {
  id: string;
  org_id: string;
  tool_id: string;
  kind: "publish" | "deprecate-version" | "deprecate-tool";
  state: "checking" | "building" | "storing" | "active" | "failed";
  user_id: string;
  /** The process that carries it out. */
  owner: string;
  log: string;
  error: string | null;
  version: string | null;
  started_at: number;
  ended_at: number | null;
}

export interface InvocationRow {
  /** Grows with every row: the order of history. */
  seq: Generated<number>;
  id: string;
  org_id: string;
  tool_id: string;
  major: number;
  minor: number;
  patch: number;
  source_type: "direct" | "regular-conversation" | "simulation-conversation";
  user_id: string | null;
  conversation_id: string | null;
  interaction_id: string | null;
  simulation_run_id: string | null;
  unit_test_id: string | null;
  run_index: number | null;
  /** JSON: `invocation_metadata`, or null. */
  source_metadata: string | null;
  mode: "regular" | "conversation-simulation";
  succeeded: Bit;
  output: string | null;
  exception_type: string | null;
  exception_message: string | null;
  /** JSON: lines. */
  exception_stack_trace: string | null;
  /** JSON: `input_parameters`. */
  inputs: string;
  duration_ms: number;
  created_at: number;
  updated_at: number;
}

/** An invocation that takes long and has not ended yet. */
export interface RunningInvocationRow {
  id: string;
  org_id: string;
  /** The process that waits for it. */
  owner: string;
  /** JSON: what its row will say. */
  draft: string;
  started_at: number;
}

/** A process that serves or works on this store. */
export interface ProcessRow {
  id: string;
  role: string;
  heartbeat_at: number;
  /** Which process of which machine it is, where that can be told. */
  mark: string | null;
}

/** Work that one process asks of any other. On PostgreSQL only. */
export interface RemoteWorkRow {
  id: string;
  kind: string;
  /** Sealed JSON. */
  request: string;
  /** The process that asks. */
  asker: string;
  /** The process that does it, once one has begun. */
  owner: string | null;
  /** Sealed JSON, once it is done. */
  result: string | null;
  created_at: number;
}

/** An answer that is given again when a request comes again. */
export interface IdempotentAnswerRow {
  org_id: string;
  key: string;
  /** Of the route and the body. */
  request_hash: string;
  /** 0 while it is worked on. */
  status: number;
  /** JSON. */
  headers: string;
  body: string;
  owner: string;
  created_at: number;
}

export interface AuditRow {
  seq: Generated<number>;
  org_id: string;
  user_id: string;
  key_id: string | null;
  /** Such as `tool.create`. */
  action: string;
  /** The id of what was changed. */
  target: string;
  /** JSON; never a secret. */
  detail: string;
  created_at: number;
}

/** What belongs to the whole installation. */
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
  user_variables: UserVariableRow;
  tools: ToolRow;
  tool_tags: ToolTagRow;
  tool_variables: ToolVariableRow;
  tool_versions: ToolVersionRow;
  artifacts: ArtifactRow;
  operations: OperationRow;
  invocations: InvocationRow;
  running_invocations: RunningInvocationRow;
  processes: ProcessRow;
  remote_work: RemoteWorkRow;
  idempotent_answers: IdempotentAnswerRow;
  audit: AuditRow;
  settings: SettingRow;
}
