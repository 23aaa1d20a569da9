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

import type { PrintedLogs } from "../history/log-schemas.ts";

export type { InvocationLogs, PrintedLogs, RunningInvocations } from "../history/log-schemas.ts";
export type { Retention, RetentionLimits } from "../history/retention-schemas.ts";
export type { InboxItem, InboxPage, InboxQuery } from "../inbox/inbox-schemas.ts";
export type { InboxLink } from "../inbox/links.ts";
export type {
  CallChecked,
  CallCheckRequest,
  CostQuery,
  MachineCost,
  MachineRules,
  RulesQuery,
  SimulateRequest,
  SimulationReport,
  UnusedQuery,
  UnusedTools,
} from "../machine/rule-values.ts";
export type {
  CallPage,
  CallQuery,
  ChangeRequest,
  Fork,
  ForkRequest,
  ListedMachineCall,
  MachineCall,
  MachineMessage,
  MachinePassage,
  MachineSession,
  MachineTimeline,
  MachineUsage,
  MessagePage,
  MessageQuery,
  SessionPage,
  SessionQuery,
  TimelineQuery,
  UndoneChanges,
  UndoPreview,
  Workspaces,
} from "../machine/session-values.ts";
export type { AuditAnchor } from "../operations/audit-check.ts";
export type { AuditLine } from "../operations/audit-line.ts";
export type { ApiKey, IssuedApiKey } from "../organizations/api-key-routes.ts";
export type { Whoami } from "../organizations/describe-caller.ts";
export type { Retry, RetryRequest, RetryResults } from "../replay/retry-schemas.ts";
export type {
  ShadowDifference,
  ShadowReport,
  ShadowRequest,
} from "../replay/shadow-schemas.ts";
export type {
  NewSchedule,
  Schedule,
  ScheduleRun,
  ScheduleWithRuns,
} from "../schedules/schedule-schemas.ts";
export type {
  NewTool,
  Tool,
  ToolChange,
  ToolPage,
  ToolQuery,
  VariableChanges,
} from "../tools/tool-schemas.ts";
export type { NewToolSet, ToolSet, ToolSetContent } from "../tools/tool-set-schemas.ts";
export type {
  Canary,
  LatestMoveReply as LatestMove,
  LatestReply as LatestVersion,
  NewCanary,
} from "../versions/latest-schemas.ts";
export type { VersionNumber } from "../versions/resolved-version.ts";
export type { ToolVersion, VersionPage, VersionQuery } from "../versions/version-schemas.ts";
export type {
  IssuedWebhook,
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookReplay,
} from "../webhooks/wire-webhook.ts";

/** A tag of a tool. */
export type Tag = Tool["tags"][number];

/** A user of an organization. */
export type UserInfo = UserReference;

/** Which invocations to list. `user_id` and `input` are for lists, not for searches. */
export type InvocationFilter = Pick<
  InvocationQuery,
  | "tool_id"
  | "invocation_source_type"
  | "conversation_id"
  | "simulation_unit_test_set_run_id"
  | "succeeded"
  | "api_key"
  | "user_id"
  | "client"
  | "input"
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
  /** Whether only its exact number is to name the version until it is promoted. Default: false. */
  readonly candidate?: boolean;
}

/** A version that was published. */
export interface Published {
  readonly new_version: string;
  /** The version before, if it was published from the same commit. */
  readonly same_commit_as?: string;
}

export type InvocationMode = "regular" | "conversation-simulation";

export interface InvocationInput {
  readonly input_parameters: Readonly<Record<string, unknown>>;
  readonly invocation_mode: InvocationMode;
  readonly nonsensitive_user_variables: Readonly<Record<string, string>>;
  readonly sensitive_user_variables: Readonly<Record<string, string>>;
}

export type InvocationResult = InvocationStatus & {
  readonly duration_ms: number;
  /** Present only together with a warning or logs. */
  readonly invocation_id?: string;
  /** Says that the tool ran but could not be recorded yet. */
  readonly warning?: string;
  readonly logs?: PrintedLogs;
};

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
  /** Narrows the role: the key may do what both allow. In the form of a role's permissions. */
  readonly permissions?: readonly string[];
}

/** A role of an organization. */
export type Role = Omit<RoleReply, "created_at">;
