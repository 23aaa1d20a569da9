import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { InvocationRow, Tables } from "../store/schema.ts";
import type { VersionNumber } from "../versions/resolved-version.ts";

/** A tool and, unless all are meant, those of its versions that are. */
export interface ToolFilter {
  readonly toolId: string;
  readonly versions?: readonly VersionNumber[];
}

/** Which invocations are meant. An empty list means any. */
export interface InvocationFilter {
  readonly organization: string;
  readonly tools: readonly ToolFilter[];
  readonly sourceTypes: readonly InvocationRow["source_type"][];
  readonly conversationIds: readonly string[];
  readonly simulationRunIds: readonly string[];
  readonly succeeded: boolean | undefined;
  /** Of which tools the caller may read history. Default: all. */
  readonly allowed?: Expression<SqlBool> | undefined;
  /** Rows of `callers`. Unlike the others, an empty list means none. Default: any. */
  readonly callers?: readonly number[] | undefined;
}

/** The filter as a condition of a query on invocations. */
export function toCondition(
  filter: InvocationFilter,
): (query: ExpressionBuilder<Tables, "invocations">) => Expression<SqlBool> {
  return (query) => {
    const { sourceTypes, conversationIds, simulationRunIds, succeeded, callers } = filter;
    const parts: Expression<SqlBool>[] = [query("org_id", "=", filter.organization)];
    if (filter.allowed !== undefined) parts.push(filter.allowed);
    if (filter.tools.length > 0) {
      parts.push(query.or(filter.tools.map((tool) => toToolCondition(query, tool))));
    }
    if (sourceTypes.length > 0) parts.push(isOneOf(query, "source_type", sourceTypes));
    if (conversationIds.length > 0) parts.push(isOneOf(query, "conversation_id", conversationIds));
    if (simulationRunIds.length > 0) {
      parts.push(isOneOf(query, "simulation_run_id", simulationRunIds));
    }
    if (callers !== undefined) {
      parts.push(callers.length === 0 ? sql<SqlBool>`1 = 0` : isCaller(query, callers));
    }
    // As a literal: only then can the index of those that failed be used.
    if (succeeded !== undefined) {
      parts.push(query("succeeded", "=", sql.lit<0 | 1>(succeeded ? 1 : 0)));
    }
    return query.and(parts);
  };
}

/**
 * The same filter as several narrower ones that have nothing in common. Each of them finds its rows
 * in their order in an index.
 */
export function toStreams(filter: InvocationFilter): readonly InvocationFilter[] {
  const { conversationIds, simulationRunIds, tools, callers = [] } = filter;
  if (conversationIds.length > 0) {
    return conversationIds.map((id) => ({ ...filter, conversationIds: [id] }));
  }
  if (simulationRunIds.length > 0) {
    return simulationRunIds.map((id) => ({
      ...filter,
      simulationRunIds: [id],
    }));
  }
  if (callers.length > 0 && callers.length <= maxCallerStreams) {
    return callers.map((id) => ({ ...filter, callers: [id] }));
  }
  if (tools.length > 0) return tools.map((tool) => ({ ...filter, tools: [tool] }));
  return [filter];
}

const maxCallerStreams = 20;

function isCaller(
  query: ExpressionBuilder<Tables, "invocations">,
  callers: readonly number[],
): Expression<SqlBool> {
  const [only] = callers;
  return callers.length === 1 && only !== undefined
    ? query("caller", "=", only)
    : query("caller", "in", callers);
}

function toToolCondition(
  query: ExpressionBuilder<Tables, "invocations">,
  { toolId, versions }: ToolFilter,
): Expression<SqlBool> {
  const isTool = query("tool_id", "=", toolId);
  if (versions === undefined) return isTool;
  const isVersion = versions.map(({ major, minor, patch }) =>
    query.and([query("major", "=", major), query("minor", "=", minor), query("patch", "=", patch)]),
  );
  return query.and([isTool, query.or(isVersion)]);
}

function isOneOf(
  query: ExpressionBuilder<Tables, "invocations">,
  ...[column, values]: [
    column: "source_type" | "conversation_id" | "simulation_run_id" | "user_id",
    values: readonly string[],
  ]
): Expression<SqlBool> {
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? query(column, "=", only as never)
    : query(column, "in", values as never);
}
