// What goes over the wire, under the wire's own names.

/** A moment, such as `2026-01-31T12:00:00.000Z`. */
export type Moment = string;

/** Who a credential belongs to. */
export interface Whoami {
  readonly organization: string;
  readonly organization_name: string;
  readonly user_id: string;
  readonly api_key_id: string;
  readonly role: string;
  readonly permissions: readonly string[];
}

export interface Tag {
  readonly key: string;
  readonly value: string | null;
}

export interface UserInfo {
  readonly org_id: string;
  readonly user_id: string;
}

export interface Tool {
  readonly id: string;
  readonly org_id: string;
  readonly created_at?: Moment;
  readonly updated_at?: Moment;
  readonly name: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Names of variables. */
  readonly envvars: readonly string[];
  readonly secret_envvars: readonly string[];
  readonly tags: readonly Tag[];
  readonly creator: UserInfo;
  readonly updated_by: UserInfo;
}

export interface Page {
  readonly has_more: boolean;
  readonly continuation_token: number | null;
}

export interface ToolPage extends Page {
  readonly tools: readonly Tool[];
  readonly filter_values: { readonly tags: readonly string[] } | null;
}

export interface ToolQuery {
  readonly id?: readonly string[];
  readonly deprecated?: boolean;
  /** `key:value`, `key:*` or `key:` */
  readonly tag?: readonly string[];
  /** `+name`, `-name`, `+deprecated`, `-deprecated` */
  readonly sort_by?: readonly string[];
  readonly limit?: number;
  readonly continuation_token?: number;
}

export interface NewTool {
  readonly name: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string | null>>;
}

export interface ToolChange {
  readonly description?: string;
  readonly tags?: Readonly<Record<string, string | null>>;
}

export interface VariableChanges {
  readonly inserts?: readonly {
    readonly name: string;
    readonly value: string;
    readonly is_secret: boolean;
  }[];
  readonly updates?: readonly { readonly name: string; readonly value: string }[];
  readonly deletes?: readonly { readonly name: string }[];
}

export interface VersionNumber {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export interface ToolVersion {
  readonly id: string;
  readonly org_id: string;
  readonly created_at?: Moment;
  readonly updated_at?: Moment;
  readonly tool_id: string;
  readonly version: VersionNumber;
  readonly required_envvars: readonly string[];
  readonly required_secret_envvars: readonly string[];
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly tool_commit_hash: string;
  readonly amigo_scaffold_commit_hash: string;
  readonly project_directory: string;
  readonly lambda_version: number;
  readonly creator: { readonly user_id: string; readonly user_org_id: string };
  readonly updated_by: { readonly user_id: string; readonly user_org_id: string };
  readonly deprecated: boolean;
}

export interface VersionPage extends Page {
  readonly tool_versions: readonly ToolVersion[];
  readonly filter_values: { readonly creators: readonly ToolVersion["creator"][] } | null;
}

export interface VersionQuery {
  readonly deprecated?: boolean;
  /** A constraint, such as `>=1.2,<2`. */
  readonly versions?: string;
  readonly sort_by?: readonly string[];
  /** `organization,user` */
  readonly creator?: readonly string[];
  readonly limit?: number;
  readonly continuation_token?: number;
}

export type Bump = "major" | "minor" | "patch";

export interface Publication {
  readonly project_path: string;
  readonly bump_type: Bump;
}

export type InvocationMode = "regular" | "conversation-simulation";

export interface InvocationInput {
  readonly input_parameters: Readonly<Record<string, unknown>>;
  readonly invocation_mode: InvocationMode;
  readonly nonsensitive_user_variables: Readonly<Record<string, string>>;
  readonly sensitive_user_variables: Readonly<Record<string, string>>;
}

export type InvocationStatus =
  | { readonly succeeded: true; readonly output: string }
  | {
      readonly succeeded: false;
      readonly exception_message: string;
      readonly exception_type: string;
      readonly exception_stack_trace: readonly string[];
    };

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

export interface Invocation {
  readonly id: string;
  readonly org_id: string;
  readonly created_at?: Moment;
  readonly updated_at?: Moment;
  readonly invocation_status: InvocationStatus;
  readonly invocation_source: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly duration_ms: number;
  readonly tool_id: string;
  readonly tool_version: VersionNumber;
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface InvocationFilter {
  readonly tool_id?: readonly string[];
  readonly invocation_source_type?: readonly string[];
  readonly conversation_id?: readonly string[];
  readonly simulation_unit_test_set_run_id?: readonly string[];
  readonly succeeded?: boolean;
}

export interface InvocationQuery extends InvocationFilter {
  readonly version?: readonly string[];
  readonly limit?: number;
  readonly continuation_token?: number;
  readonly sort_by?: readonly string[];
}

export interface InvocationPage extends Page {
  readonly tool_invocations: readonly Invocation[];
}

export interface InvocationSearch extends InvocationFilter {
  readonly query: string;
  /** Where to look; everywhere unless said. */
  readonly query_against?: readonly string[];
}

export interface ApiKey {
  readonly _id: string;
  readonly name: string | null;
  readonly org_id: string;
  readonly created_at: Moment;
  readonly updated_at: Moment;
  readonly key_id: string;
  readonly expires_at: Moment;
  readonly creator: UserInfo;
  readonly role_id: string;
}

export interface NewApiKey {
  readonly name: string | null;
  /** As ISO 8601 says it: `P90D`. */
  readonly duration: string;
  readonly role_name?: string;
}

export interface IssuedApiKey {
  readonly api_key_id: string;
  readonly api_key: string;
  readonly expires_at: Moment;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  /** `Resource:Action` */
  readonly permissions: readonly string[];
}
