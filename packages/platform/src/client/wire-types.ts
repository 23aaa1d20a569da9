import type { InvocationQuery, InvocationStatus } from "../history/invocation-schemas.ts";
import type { RoleReply } from "../organizations/role-routes.ts";
import type { Tool, UserReference } from "../tools/tool-schemas.ts";

// The API's values, under the API's own names. Most are derived from the schemas
// that the server checks.

export type { AcceptedInvocations, AsyncInvocation } from "../async/async-schemas.ts";
export type {
  Invocation,
  InvocationPage,
  InvocationQuery,
  InvocationSearch,
  InvocationStatus,
} from "../history/invocation-schemas.ts";
export type { InvocationLogs, PrintedLogs, RunningInvocations } from "../history/log-schemas.ts";
export type { InboxItem, InboxPage, InboxQuery } from "../inbox/inbox-schemas.ts";
export type { ApiKey, IssuedApiKey } from "../organizations/api-key-routes.ts";
export type { Whoami } from "../organizations/sign-in-routes.ts";
export type {
  NewTool,
  Tool,
  ToolChange,
  ToolPage,
  ToolQuery,
  VariableChanges,
} from "../tools/tool-schemas.ts";
export type { VersionNumber } from "../versions/resolved-version.ts";
export type { ToolVersion, VersionPage, VersionQuery } from "../versions/version-schemas.ts";

/** A tag of a tool. */
export type Tag = Tool["tags"][number];

/** A user of an organization. */
export type UserInfo = UserReference;

/** Which invocations to list or search. */
export type InvocationFilter = Pick<
  InvocationQuery,
  | "tool_id"
  | "invocation_source_type"
  | "conversation_id"
  | "simulation_unit_test_set_run_id"
  | "succeeded"
>;

/** A timestamp, such as `2026-01-31T12:00:00.000Z`. */
export type Moment = string;

export interface Page {
  readonly has_more: boolean;
  readonly continuation_token: number | null;
}

export type Bump = "major" | "minor" | "patch";

export interface Publication {
  readonly project_path: string;
  readonly bump_type: Bump;
  /** `main` for shared tools. Default: `team`, the organization's release branch. */
  readonly repo?: "main" | "team";
}

export type InvocationMode = "regular" | "conversation-simulation";

export interface InvocationInput {
  readonly input_parameters: Readonly<Record<string, unknown>>;
  readonly invocation_mode: InvocationMode;
  readonly nonsensitive_user_variables: Readonly<Record<string, string>>;
  readonly sensitive_user_variables: Readonly<Record<string, string>>;
}

export type InvocationResult = InvocationStatus & { readonly duration_ms: number };

export interface InvocationResults {
  readonly invocation_results: readonly InvocationResult[];
}

export interface TestRequest {
  readonly inputs: readonly InvocationInput[];
  readonly commit_branch: string;
  readonly project_path: string;
  readonly required_envvars: Readonly<Record<string, string>>;
  readonly required_secret_envvars: Readonly<Record<string, string>>;
}

export interface NewApiKey {
  readonly name: string | null;
  /** An ISO 8601 duration, such as `P90D`. */
  readonly duration: string;
  readonly role_name?: string;
}

/** A role of an organization. */
export type Role = Omit<RoleReply, "created_at">;
