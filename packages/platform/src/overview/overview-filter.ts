import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools } from "../auth/tool-access.ts";
import { findCallers } from "../history/find-callers.ts";
import { mayRead } from "../history/log-routes.ts";
import { isAmong } from "../store/is-among.ts";
import type { Tables } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { OverviewFilter } from "./overview-schemas.ts";

/** A condition of a query on invocations. */
export type InvocationCondition = (
  query: ExpressionBuilder<Tables, "invocations">,
) => Expression<SqlBool>;

/** Returns the condition for a filter, limited to the tools whose history the caller may read. */
export async function toOverviewCondition(
  store: Store,
  principal: Principal,
  filter: OverviewFilter,
): Promise<InvocationCondition> {
  const { organization } = principal;
  const allowed = await findAllowedTools(principal, mayRead);
  const find = (
    keys: readonly string[],
    users: readonly string[],
  ): ReturnType<typeof findCallers> =>
    findCallers(store, organization, { api_key: keys, user_id: users, client: [] });
  const callers = await find(filter.api_key, filter.user_id);
  const others = [
    ...((filter.not_api_key.length > 0 && (await find(filter.not_api_key, []))) || []),
    ...((filter.not_user_id.length > 0 && (await find([], filter.not_user_id))) || []),
  ];
  const version = sql<string>`(major || '.' || minor || '.' || patch)`;
  return (query) => {
    const parts: Expression<SqlBool>[] = [query("org_id", "=", organization)];
    const add = (part: Expression<SqlBool> | false): void => {
      if (part !== false) parts.push(part);
    };
    if (allowed !== undefined) add(isAmong(store, "tool_id", allowed));
    if (filter.from !== undefined) add(query("created_at", ">=", Date.parse(filter.from)));
    if (filter.to !== undefined) add(query("created_at", "<", Date.parse(filter.to)));
    add(filter.tool_id.length > 0 && query("tool_id", "in", filter.tool_id));
    add(filter.not_tool_id.length > 0 && query("tool_id", "not in", filter.not_tool_id));
    add(filter.version.length > 0 && query(version, "in", filter.version));
    add(filter.not_version.length > 0 && query(version, "not in", filter.not_version));
    add(filter.source.length > 0 && query("source_type", "in", filter.source));
    add(filter.not_source.length > 0 && query("source_type", "not in", filter.not_source));
    add(filter.error.length > 0 && query("exception_type", "in", filter.error.map(toStored)));
    add(
      filter.not_error.length > 0 &&
        query.or([
          query("exception_type", "is", null),
          query("exception_type", "not in", filter.not_error.map(toStored)),
        ]),
    );
    if (filter.succeeded !== undefined) {
      add(query("succeeded", "=", sql.lit<0 | 1>(filter.succeeded ? 1 : 0)));
    }
    if (callers !== undefined) {
      add(callers.length === 0 ? sql<SqlBool>`1 = 0` : query("caller", "in", callers));
    }
    add(
      others.length > 0 &&
        query.or([query("caller", "is", null), query("caller", "not in", others)]),
    );
    return query.and(parts);
  };
}

// PostgreSQL can't look for a zero byte, and history has none.
function toStored(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
