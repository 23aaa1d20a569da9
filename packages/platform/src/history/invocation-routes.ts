import { type AnyRoute, defineRoute } from "../api/route.ts";
import { findAllowedTools } from "../auth/tool-access.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { listedColumns } from "../store/invocation-row.ts";
import { isAmong } from "../store/is-among.ts";
import type { InvocationRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { toSortOrders } from "../tools/sort-order.ts";
import { findCallers } from "./find-callers.ts";
import { toInputFilter } from "./input-filter.ts";
import type { InvocationFilter, ToolFilter } from "./invocation-filter.ts";
import {
  type FilledInvocationQuery,
  type FilledInvocationSearch,
  foundInvocations,
  invocationPage,
  invocationParams,
  invocationQuery,
  invocationReply,
  type RollbackRequest,
  rollbackBody,
  rollbackReply,
  searchQuery,
} from "./invocation-schemas.ts";
import { invocationSortFields, listInvocations } from "./list-invocations.ts";
import { logRoutes, mayRead, mayReadTool, noInvocation } from "./log-routes.ts";
import { openSearchIndex } from "./open-search-index.ts";
import { joinPayloads } from "./payloads.ts";
import { type Rollback, rollBackInvocations } from "./rollback-invocations.ts";
import { searchInvocations } from "./search-invocations.ts";
import { type SearchField, toSearchQuery } from "./search-query.ts";
import { toInvocations } from "./to-invocation.ts";
import { findToolFilters } from "./version-filter.ts";

/** The API's routes for history: list, search, show one, and roll back. */
export function invocationRoutes(
  parts: Pick<PlatformParts, "store" | "audit" | "now">,
): readonly AnyRoute[] {
  const { store } = parts;
  const index = openSearchIndex(store.kind);
  return [
    ...logRoutes(parts),
    defineRoute<unknown, FilledInvocationQuery>({
      method: "GET",
      url: "/v1/:organization/tool/invocation",
      operationId: "get-tool-invocations",
      summary: "Lists invocations, the newest first.",
      permission: mayRead,
      about: "tools",
      schema: {
        querystring: invocationQuery,
        response: { 200: invocationPage },
      },
      handle: async ({ principal, query }) => {
        const { organization } = principal;
        const sort = toSortOrders(query.sort_by, invocationSortFields);
        const asked = {
          organization,
          toolIds: query.tool_id,
          constraints: query.version,
        };
        const filter = await toFilter(store, query, {
          organization,
          tools: await findToolFilters(store, asked),
          allowed: await findAllowedTools(principal, mayRead),
        });
        const page = await listInvocations(store, {
          filter,
          sort,
          limit: query.limit,
          continuationToken: query.continuation_token,
          withPrinted: query.with_logs,
          accepts: toInputFilter(query.input),
        });
        return {
          status: 200,
          body: {
            tool_invocations: await toInvocations(store, page.rows),
            has_more: page.hasMore,
            continuation_token: page.continuationToken,
          },
        };
      },
    }),
    defineRoute<unknown, FilledInvocationSearch>({
      method: "GET",
      url: "/v1/:organization/tool/invocation/search",
      operationId: "search-tool-invocations",
      summary:
        "Finds invocations by words in their outputs, errors and logs: the newest first, at most 100.",
      permission: null,
      about: "tools",
      schema: { querystring: searchQuery, response: { 200: foundInvocations } },
      handle: async ({ principal, query }) => {
        const fields = query.query_against.flatMap((name) =>
          name === "logs" ? [] : [name.split(".")[1] as SearchField],
        );
        // What others are shown is limited to tools whose history they may read.
        const mayReadLogs =
          principal.limits !== undefined || mayRead.every((each) => principal.may(each));
        const inPrinted = mayReadLogs && query.query_against.includes("logs");
        if (fields.length === 0 && !inPrinted) {
          throw new Problem(
            403,
            `Searching in logs requires the permissions ${mayRead.join(", ")}.`,
          );
        }
        const tools = query.tool_id.map((toolId) => ({ toolId }));
        const found = await searchInvocations(store, index, {
          query: toSearchQuery(query.query, fields, inPrinted),
          withPrinted: mayReadLogs && query.with_logs,
          filter: await toFilter(store, query, {
            organization: principal.organization,
            tools,
            // Callers without limits need no permission to search.
            allowed:
              principal.limits === undefined
                ? undefined
                : await findAllowedTools(principal, mayRead),
          }),
        });
        return {
          status: 200,
          body: { tool_invocations: await toInvocations(store, found) },
        };
      },
    }),
    defineRoute<unknown, unknown, { readonly invocation_id: string }>({
      method: "GET",
      url: "/v1/:organization/tool/invocation/:invocation_id",
      operationId: "get-tool-invocation",
      summary: "Shows one invocation.",
      permission: mayRead,
      about: "tools",
      schema: { params: invocationParams, response: { 200: invocationReply } },
      handle: async ({ principal, params }) => {
        const row = await store.db
          .selectFrom("invocations")
          .select(listedColumns)
          .where("id", "=", params.invocation_id)
          .where("org_id", "=", principal.organization)
          .executeTakeFirst();
        if (row === undefined || !(await mayReadTool(principal, row.tool_id))) {
          throw noInvocation(params.invocation_id);
        }
        const [shown] = await toInvocations(store, await joinPayloads(store.db, [row]));
        return { status: 200, body: shown };
      },
    }),
    defineRoute<RollbackRequest>({
      method: "POST",
      url: "/v1/:organization/tool/invocation/rollback",
      operationId: "roll-back-tool-invocations",
      summary:
        "Removes the ids of rolled-back interactions, or of a simulation, from their invocations.",
      permission: "Conversation:RollBackInteraction",
      schema: { body: rollbackBody, response: { 200: rollbackReply } },
      handle: async ({ principal, body }) => {
        const rollback = toRollback(body);
        const isSimulation = "simulationRunId" in rollback;
        const count = await store.db.transaction().execute(async (db) => {
          const { organization } = principal;
          const rolledBack = await rollBackInvocations(
            db,
            { organization, now: parts.now() },
            rollback,
          );
          await parts.audit.record(db, principal, {
            action: "invocation.rollback",
            target: isSimulation ? rollback.simulationRunId : rollback.conversationId,
            detail: { ...body, rolled_back: rolledBack },
          });
          return rolledBack;
        });
        return { status: 200, body: { rolled_back: count } };
      },
    }),
  ];
}

interface ReadableHistory {
  readonly organization: string;
  /** The tools that are asked for; empty for any. */
  readonly tools: readonly ToolFilter[];
  /** The tools whose history the caller may read. Default: all. */
  readonly allowed: ReadonlySet<string> | undefined;
}

const maxToolStreams = 20;

async function toFilter(
  store: Store,
  query: FilledInvocationQuery | FilledInvocationSearch,
  { organization, tools, allowed }: ReadableHistory,
): Promise<InvocationFilter> {
  return {
    organization,
    // A few tools have their own order in an index.
    tools:
      allowed !== undefined && tools.length === 0 && allowed.size <= maxToolStreams
        ? Array.from(allowed, (toolId) => ({ toolId }))
        : tools,
    allowed: allowed && isAmong(store, "tool_id", allowed),
    callers: await findCallers(store, organization, query),
    sourceTypes: [...new Set(query.invocation_source_type.map(toSourceType))],
    conversationIds: query.conversation_id,
    simulationRunIds: query.simulation_unit_test_set_run_id,
    succeeded: query.succeeded ?? undefined,
  };
}

/** Callers use both the short and the long names. */
function toSourceType(name: string): InvocationRow["source_type"] {
  if (name === "conversation") return "regular-conversation";
  if (name === "simulation") return "simulation-conversation";
  return name as InvocationRow["source_type"];
}

function toRollback(body: RollbackRequest): Rollback {
  const { conversation_id, interaction_ids, simulation_unit_test_set_run_id } = body;
  if (conversation_id !== undefined && simulation_unit_test_set_run_id === undefined) {
    return { conversationId: conversation_id, interactionIds: interaction_ids };
  }
  if (simulation_unit_test_set_run_id !== undefined && conversation_id === undefined) {
    if (interaction_ids === undefined) return { simulationRunId: simulation_unit_test_set_run_id };
    throw invalidBody("interaction_ids belong to a conversation. Leave them out.");
  }
  throw invalidBody(
    "Send either conversation_id, with interaction_ids to roll back only some, or " +
      "simulation_unit_test_set_run_id.",
  );
}

function invalidBody(msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body"], msg, type: "value_error" }]);
}
