import { type AnyRoute, defineRoute } from "../api/route.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";
import type { InvocationDraft } from "./history.ts";
import { invocationParams } from "./invocation-schemas.ts";
import {
  type FilledRunningQuery,
  logsReply,
  type RunningInvocations,
  runningQuery,
  runningReply,
} from "./log-schemas.ts";
import { isDraft } from "./lost-invocations.ts";
import { toLogs } from "./to-invocation.ts";

/** The permissions that reading history needs, all of them. */
export const mayRead = [
  "Conversation:GetInteractionInsights",
  "Simulation:GetSimulationUnitTestSetRun",
] as const;

/** Creates the error for an unknown invocation. */
export function noInvocation(id: string): Problem {
  return new Problem(404, `There is no invocation ${id}.`);
}

/** The API's routes for what invocations print. */
export function logRoutes({ store }: Pick<PlatformParts, "store">): readonly AnyRoute[] {
  return [
    defineRoute<unknown, unknown, { readonly invocation_id: string }>({
      method: "GET",
      url: "/v1/:organization/tool/invocation/:invocation_id/logs",
      operationId: "get-tool-invocation-logs",
      summary: "Shows what an invocation printed, or has printed so far.",
      permission: mayRead,
      schema: { params: invocationParams, response: { 200: logsReply } },
      handle: async ({ principal, params }) => {
        const find = (table: "running_invocations" | "invocations") =>
          store.db
            .selectFrom(table)
            .select("printed")
            .where("id", "=", params.invocation_id)
            .where("org_id", "=", principal.organization)
            .executeTakeFirst();
        // In this order: it may end in between.
        const running = await find("running_invocations");
        const found = running ?? (await find("invocations"));
        if (found === undefined) throw noInvocation(params.invocation_id);
        const body = {
          invocation_id: params.invocation_id,
          is_running: running !== undefined,
          ...toLogs(found.printed),
        };
        return { status: 200, body };
      },
    }),
    defineRoute<unknown, FilledRunningQuery>({
      method: "GET",
      url: "/v1/:organization/tool/invocation/running",
      operationId: "get-running-tool-invocations",
      summary:
        "Lists the invocations that run now and what they have printed, the oldest first, at most 100.",
      permission: mayRead,
      schema: { querystring: runningQuery, response: { 200: runningReply } },
      handle: async ({ principal, query }) => {
        const rows = await store.db
          .selectFrom("running_invocations")
          .select(["id", "draft", "started_at", "printed"])
          .where("org_id", "=", principal.organization)
          .orderBy("started_at")
          .orderBy("id")
          .execute();
        const running = rows.flatMap((row): RunningInvocations["running_invocations"] => {
          const draft = readStoredJsonOr<InvocationDraft | null>(row.draft, null, isDraft);
          if (draft === null) return [];
          const { tool_id, major, minor, patch } = draft;
          if (query.tool_id.length > 0 && !query.tool_id.includes(tool_id)) return [];
          const tool_version = { major, minor, patch };
          const started_at = toIsoMoment(row.started_at);
          return [{ id: row.id, tool_id, tool_version, started_at, logs: toLogs(row.printed) }];
        });
        return { status: 200, body: { running_invocations: running.slice(0, 100) } };
      },
    }),
  ];
}
