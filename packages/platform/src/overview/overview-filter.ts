import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools } from "../auth/tool-access.ts";
import { findCallers } from "../history/find-callers.ts";
import { mayRead } from "../history/log-routes.ts";
import type { SearchScope } from "../history/search-scope.ts";
import { isAmong } from "../store/is-among.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { OverviewFilter } from "./overview-schemas.ts";

/** A condition of a query on invocations. */
export type InvocationCondition = (
  query: ExpressionBuilder<Tables, "invocations">,
) => Expression<SqlBool>;

/** Which invocations to show, in the forms that queries need. */
export interface InvocationSelection {
  readonly organization: string;
  /** In milliseconds; the first moment, and the one after the last. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly condition: InvocationCondition;
  /**
   * The same for `invocation_hours`, except for time. `undefined` if it filters by what those do not
   * have.
   */
  readonly hours: Expression<SqlBool> | undefined;
  /** As much of the filter as the search index knows. */
  readonly scope: SearchScope;
  /** Words that are searched for; `undefined` for all invocations. */
  readonly words: string | undefined;
}

/** Returns what a filter selects, limited to the tools whose history the caller may read. */
export async function selectInvocations(
  store: Store,
  principal: Principal,
  filter: OverviewFilter,
): Promise<InvocationSelection> {
  const { organization } = principal;
  const [from, to] = [toTime(filter.from), toTime(filter.to)];
  const ofTools = toToolParts(store, filter, await findAllowedTools(principal, mayRead));
  const ofCallers = await toCallerParts(store, organization, filter);
  const { source, not_source, error, not_error } = filter;
  const hasFailed = error.length > 0 || filter.succeeded === false;
  const condition: InvocationCondition = (query) => {
    const parts: Expression<SqlBool>[] = [query("org_id", "=", organization)];
    if (from !== undefined) parts.push(query("created_at", ">=", from));
    if (to !== undefined) parts.push(query("created_at", "<", to));
    if (source.length > 0) parts.push(query("source_type", "in", source));
    if (not_source.length > 0) parts.push(query("source_type", "not in", not_source));
    if (error.length > 0) parts.push(query("exception_type", "in", error.map(toStored)));
    if (not_error.length > 0) {
      parts.push(
        query.or([
          query("exception_type", "is", null),
          query("exception_type", "not in", not_error.map(toStored)),
        ]),
      );
    }
    // As a literal: only then can the index of those that failed be used.
    if (hasFailed) parts.push(query("succeeded", "=", sql.lit(0)));
    if (filter.succeeded === true) parts.push(query("succeeded", "=", sql.lit(1)));
    return query.and([...parts, ...ofTools, ...ofCallers]);
  };
  const others = [...source, ...not_source, ...error, ...not_error, ...ofCallers];
  return {
    ...{ organization, from, to, condition },
    hours:
      others.length > 0 || filter.succeeded !== undefined
        ? undefined
        : all([sql<SqlBool>`org_id = ${organization}`, ...ofTools]),
    scope: {
      ...{ organization, toolIds: filter.tool_id, sourceTypes: source },
      succeeded: hasFailed ? false : filter.succeeded,
    },
    words: filter.query?.trim() || undefined,
  };
}

/** Conditions on the columns that `invocations` and `invocation_hours` share. */
function toToolParts(
  store: Store,
  { tool_id, not_tool_id, version, not_version }: OverviewFilter,
  allowed: ReadonlySet<string> | undefined,
): Expression<SqlBool>[] {
  const isOneOf = (ids: readonly string[]) => sql<SqlBool>`tool_id in (${sql.join(ids)})`;
  const hasOneOf = (texts: readonly string[]) => any(texts.map(toVersionCondition));
  return [
    ...(allowed === undefined ? [] : [isAmong(store, "tool_id", allowed)]),
    ...(tool_id.length === 0 ? [] : [isOneOf(tool_id)]),
    ...(not_tool_id.length === 0 ? [] : [sql<SqlBool>`not ${isOneOf(not_tool_id)}`]),
    ...(version.length === 0 ? [] : [hasOneOf(version)]),
    ...(not_version.length === 0 ? [] : [sql<SqlBool>`not ${hasOneOf(not_version)}`]),
  ];
}

function toVersionCondition(text: string): Expression<SqlBool> {
  const numbers = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/u.exec(text)?.slice(1).map(Number);
  if (numbers === undefined) return sql<SqlBool>`1 = 0`;
  const [major, minor, patch] = numbers;
  return sql<SqlBool>`(major = ${major} and minor = ${minor} and patch = ${patch})`;
}

async function toCallerParts(
  store: Store,
  organization: string,
  { api_key, user_id, not_api_key, not_user_id }: OverviewFilter,
): Promise<Expression<SqlBool>[]> {
  const find = async (
    keys: readonly string[],
    users: readonly string[],
  ): Promise<readonly number[] | undefined> =>
    findCallers(store, organization, { api_key: keys, user_id: users, client: [] });
  const callers = await find(api_key, user_id);
  const others = [
    ...((await find(not_api_key, [])) ?? []),
    ...((await find([], not_user_id)) ?? []),
  ];
  const isOneOf = (ids: readonly number[]) =>
    ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`caller in (${sql.join(ids)})`;
  return [
    ...(callers === undefined ? [] : [isOneOf(callers)]),
    ...(others.length === 0 ? [] : [sql<SqlBool>`(caller is null or not ${isOneOf(others)})`]),
  ];
}

function all(parts: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}

function any(parts: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

function toTime(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Date.parse(moment);
}

// PostgreSQL can't look for a zero byte, and history has none.
function toStored(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
