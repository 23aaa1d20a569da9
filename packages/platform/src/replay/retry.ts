import type { Expression, SqlBool } from "kysely";
import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools } from "../auth/tool-access.ts";
import { readInvocations, type StoredInvocation } from "../history/list-invocations.ts";
import { mayRead } from "../history/log-routes.ts";
import { toSource } from "../history/to-invocation.ts";
import type { Invoker, ReadyCall } from "../invoke/create-invoker.ts";
import type { InvocationSource } from "../invoke/invoke-request.ts";
import { parseJsonPath } from "../json-path.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { isAmong } from "../store/is-among.ts";
import { type InputOptions, readRecordedInput } from "./recorded-input.ts";
import type { FilledRetryRequest, Retry, RetryResults } from "./retry-schemas.ts";
import { mapLimited, selectInvocations } from "./select-invocations.ts";

/** The permissions that a retry requires on the tool of an invocation. */
export const mayRetry: readonly Permission[] = ["Tool:InvokeTool", ...mayRead];

/** The services that retries use. */
export interface RetryParts extends Pick<PlatformParts, "store" | "audit" | "now"> {
  readonly invoker: Pick<Invoker, "prepare">;
}

/** Options of a retry. */
export interface RetryOptions {
  /** No more invocations are started once it aborts. */
  readonly signal?: AbortSignal;
  /** Called with each result, and with the number of all invocations. */
  onRetry?(index: number, retry: Retry & { readonly total: number }): void;
}

/** Repeats recorded invocations as new ones that refer to them. Each result says what became of one. */
export async function retryInvocations(
  parts: RetryParts,
  call: { readonly principal: Principal; readonly request: FilledRetryRequest },
  { signal, onRetry }: RetryOptions = {},
): Promise<RetryResults> {
  const { principal, request } = call;
  const input: InputOptions = {
    changes: request.set.map(({ path, value }) => ({ path: parseJsonPath(path), value })),
    allowsMissing: request.allow_missing_context,
  };
  const { rows, missing, hasMore } = await findRows(parts, principal, request);
  const found = await mapLimited(rows, signal, async (row, index) => {
    const retry = await retryOne(parts, { row, principal, request, input });
    onRetry?.(index, { ...retry, total: rows.length + missing.length });
    return retry;
  });
  const retries = [...missing.map((id) => skip(id, `There is no invocation ${id}.`)), ...found];
  const count = (status: Retry["status"]): number =>
    retries.filter((each) => each.status === status).length;
  const counts = {
    ...{ succeeded: count("succeeded"), failed: count("failed"), skipped: count("skipped") },
  };
  if (!request.dry_run && counts.succeeded + counts.failed > 0) {
    await parts.audit.recordAlone(principal, {
      action: "invocation.retry",
      target: request.tool_id.length === 1 ? (request.tool_id[0] ?? "") : principal.organization,
      detail: { ...counts, version: request.version, set: request.set.map(({ path }) => path) },
    });
  }
  return { retries, ...counts, has_more: hasMore };
}

async function findRows(
  { store, now }: RetryParts,
  principal: Principal,
  request: FilledRetryRequest,
): Promise<{
  readonly rows: readonly StoredInvocation[];
  readonly missing: readonly string[];
  readonly hasMore: boolean;
}> {
  const { organization } = principal;
  const ids = [...new Set(request.invocation_ids)];
  // Other invocations are as if they were not there.
  const allowed = await findAllowedTools(principal, mayRetry);
  const isAllowed = allowed && isAmong(store, "tool_id", allowed);
  if (ids.length > 0) {
    const found = await store.db
      .selectFrom("invocations")
      .select("seq")
      .where("org_id", "=", organization)
      .where("id", "in", ids)
      .$if(isAllowed !== undefined, (query) => query.where(isAllowed as Expression<SqlBool>))
      .orderBy("seq")
      .execute();
    const seqs = found.map(({ seq }) => seq);
    const rows = await readInvocations(store.db, seqs);
    const known = new Set(rows.map(({ id }) => id));
    return { rows, missing: ids.filter((id) => !known.has(id)), hasMore: false };
  }
  if (request.since === undefined) {
    throw new Problem(400, "Name the invocations with invocation_ids, or give since.");
  }
  const since = Date.parse(request.since);
  if (since > now()) throw new Problem(400, `since is in the future: ${request.since}.`);
  const selected = await selectInvocations(store, {
    filter: {
      organization,
      tools: request.tool_id.map((toolId) => ({ toolId })),
      allowed: isAllowed,
      ...{ sourceTypes: [], conversationIds: [], simulationRunIds: [], succeeded: false },
    },
    since,
    limit: request.limit,
    // Only once: a retry that fails is the one to repeat next.
    accepts: ({ retriedBy = [] }) => retriedBy.length === 0,
  });
  return { ...selected, missing: [] };
}

async function retryOne(
  { invoker }: RetryParts,
  order: {
    readonly row: StoredInvocation;
    readonly principal: Principal;
    readonly request: FilledRetryRequest;
    readonly input: InputOptions;
  },
): Promise<Retry> {
  const { row, principal, request } = order;
  let ready: ReadyCall;
  try {
    const input = {
      input_parameters: readRecordedInput(row, order.input),
      invocation_mode: row.mode,
      nonsensitive_user_variables: {},
      sensitive_user_variables: {},
    };
    ready = await invoker.prepare({
      ...{ principal, toolId: row.tool_id, version: request.version, retryOf: row.id },
      request: { inputs: [input], source: findSource(row) },
    });
  } catch (error) {
    if (error instanceof Problem) return skip(row.id, error.message);
    throw error;
  }
  const retry = { invocation_id: row.id, version: ready.version.text };
  if (request.dry_run) return { ...retry, retried_as: null, status: "would-run", detail: null };
  let id: string | null = null;
  const [result] = await ready.run({
    onBegin: (_index, begun) => {
      id = begun;
    },
  });
  if (result?.succeeded === true) {
    return { ...retry, retried_as: id, status: "succeeded", detail: result.warning ?? null };
  }
  const detail =
    result === undefined ? null : `${result.exception_type}: ${result.exception_message}`;
  return { ...retry, retried_as: id, status: "failed", detail };
}

function skip(id: string, detail: string): Retry {
  return { invocation_id: id, retried_as: null, status: "skipped", version: null, detail };
}

/** Returns the conversation of an invocation. Without one, it is repeated as the user who repeats it. */
function findSource(row: StoredInvocation): InvocationSource | null {
  const source = toSource(row);
  return source.type === "regular-conversation" || source.type === "simulation-conversation"
    ? (source as InvocationSource)
    : null;
}
