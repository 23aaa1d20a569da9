import type { Principal } from "../auth/principal.ts";
import type { InvocationDraft, NewInvocation } from "../history/history.ts";
import type { ToolRunResult } from "../runner/runner.ts";
import type { ResolvedVersion } from "../versions/resolved-version.ts";
import type { HideSecrets } from "./hide-secrets.ts";
import type { InvocationSource, InvokeInput } from "./invoke-request.ts";

type SourceColumns = Pick<
  InvocationDraft,
  | "source_type"
  | "user_id"
  | "conversation_id"
  | "interaction_id"
  | "simulation_run_id"
  | "unit_test_id"
  | "run_index"
  | "source_metadata"
>;

/** The columns that the invocations of a request share. */
export interface RowOrigin {
  readonly version: ResolvedVersion;
  readonly source: SourceColumns;
  /** Who invokes, as a row of `callers`. */
  readonly caller: number;
  /** The invocation that is repeated. */
  readonly retryOf: string | null;
  /** Whether the tool gets a conversation, which is not stored. */
  readonly hasConversation: boolean;
}

/** How a call came that names no conversation: by a request, or at a time of a schedule. */
export type CallOrigin = "direct" | "mcp" | { readonly scheduleId: string };

const nowhere = {
  conversation_id: null,
  interaction_id: null,
  simulation_run_id: null,
  unit_test_id: null,
  run_index: null,
  source_metadata: null,
} as const;

/** Returns the history columns for the source of an invocation. */
export function toSourceColumns(
  source: InvocationSource | null | undefined,
  { userId }: Pick<Principal, "userId">,
  origin: CallOrigin = "direct",
): SourceColumns {
  if (source === null || source === undefined) {
    const user = { ...nowhere, user_id: userId };
    if (typeof origin === "string") return { ...user, source_type: origin };
    const source_metadata = JSON.stringify({ schedule_id: origin.scheduleId });
    return { ...user, source_type: "schedule", source_metadata };
  }
  const source_metadata = JSON.stringify(source.invocation_metadata);
  if (source.type === "regular-conversation") {
    const { user_id, conversation_id, interaction_id } = source;
    const ids = { user_id, conversation_id, interaction_id, source_metadata };
    return { ...nowhere, source_type: source.type, ...ids };
  }
  return {
    ...nowhere,
    source_type: source.type,
    user_id: null,
    simulation_run_id: source.simulation_unit_test_set_run_id,
    unit_test_id: source.unit_test_id,
    run_index: source.run_index,
    source_metadata,
  };
}

/** Creates the row of a starting invocation. Of its input only the parameters are stored. */
export function toDraft(
  { id, at, input }: { readonly id: string; readonly at: number; readonly input: InvokeInput },
  { version, source, caller, retryOf, hasConversation }: RowOrigin,
  hide: HideSecrets,
): InvocationDraft {
  return {
    id,
    org_id: version.organization,
    tool_id: version.toolId,
    ...version.number,
    ...source,
    caller,
    mode: input.invocation_mode,
    inputs: hide.inJson(input.input_parameters),
    created_at: at,
    retry_of: retryOf,
    unrecorded: listUnrecorded(input, hasConversation),
  };
}

/** Returns what the tool is given besides its parameters, which are all that is stored. */
function listUnrecorded(input: InvokeInput, hasConversation: boolean): string | null {
  const { nonsensitive_user_variables: plain, sensitive_user_variables: sensitive } = input;
  const hasVariables = [plain, sensitive].some((each) => Object.keys(each ?? {}).length > 0);
  const names = [
    ...(hasVariables ? ["user variables"] : []),
    ...(hasConversation ? ["a conversation"] : []),
  ];
  return names.length === 0 ? null : names.join(" and ");
}

/** Creates the row of a finished invocation. */
export function toRow(
  draft: InvocationDraft,
  result: ToolRunResult,
  { hide, at }: { readonly hide: HideSecrets; readonly at: number },
): NewInvocation {
  const ending = {
    duration_ms: Math.max(0, Math.round(result.durationMs)),
    updated_at: at,
    printed: result.printed === undefined ? null : hide.inJson(result.printed),
  };
  if (result.succeeded) {
    return {
      ...draft,
      ...ending,
      succeeded: 1,
      output: hide.inText(result.output),
      exception_type: null,
      exception_message: null,
      exception_stack_trace: null,
    };
  }
  return {
    ...draft,
    ...ending,
    succeeded: 0,
    output: null,
    exception_type: hide.inText(result.exceptionType),
    exception_message: hide.inText(result.exceptionMessage),
    exception_stack_trace: JSON.stringify(result.exceptionStackTrace.map(hide.inText)),
  };
}
