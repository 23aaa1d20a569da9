import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools, mayOnTool } from "../auth/tool-access.ts";
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
import { joinPayloads } from "./payloads.ts";
import { toLogs } from "./to-invocation.ts";

/** The permissions that reading history needs, all of them. */
export const mayRead = [
  "Conversation:GetInteractionInsights",
  "Simulation:GetSimulationUnitTestSetRun",
] as const;

/** Returns whether a caller may read the history of a tool. */
export async function mayReadTool(principal: Principal, toolId: string): Promise<boolean> {
  for (const permission of mayRead) {
    if (!(await mayOnTool(principal, permission, toolId))) return false;
  }
  return true;
}

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
      about: "tools",
      schema: { params: invocationParams, response: { 200: logsReply } },
      handle: async ({ principal, params }) => {
        const [id, { organization }] = [params.invocation_id, principal];
        // In this order: it may end in between.
        const running = await store.db
          .selectFrom("running_invocations")
          .select(["printed", "draft"])
          .where("id", "=", id)
          .where("org_id", "=", organization)
          .executeTakeFirst();
        const ended = await store.db
          .selectFrom("invocations")
          .select(["id", "apart", "printed", "tool_id"])
          .where("id", "=", id)
          .where("org_id", "=", organization)
          .executeTakeFirst();
        const [whole] = ended === undefined ? [] : await joinPayloads(store.db, [ended]);
        const found = running ?? whole;
        const toolId = ended?.tool_id ?? readDraft(running?.draft)?.tool_id;
        if (found === undefined || !(await mayReadTool(principal, toolId ?? ""))) {
          throw noInvocation(id);
        }
        const body = {
          invocation_id: id,
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
      about: "tools",
      schema: { querystring: runningQuery, response: { 200: runningReply } },
      handle: async ({ principal, query }) => {
        const rows = await store.db
          .selectFrom("running_invocations")
          .leftJoin("async_invocations", "async_invocations.id", "running_invocations.id")
          .select([
            ...(["running_invocations.id", "running_invocations.draft"] as const),
            ...(["running_invocations.started_at", "running_invocations.printed"] as const),
            "async_invocations.id as async_id",
          ])
          .where("running_invocations.org_id", "=", principal.organization)
          .orderBy("running_invocations.started_at")
          .orderBy("running_invocations.id")
          .execute();
        const allowed = await findAllowedTools(principal, mayRead);
        const running = rows.flatMap((row): RunningInvocations["running_invocations"] => {
          const draft = readDraft(row.draft);
          if (draft === null) return [];
          const { tool_id, major, minor, patch } = draft;
          if (query.tool_id.length > 0 && !query.tool_id.includes(tool_id)) return [];
          if (allowed !== undefined && !allowed.has(tool_id)) return [];
          const tool_version = { major, minor, patch };
          const started_at = toIsoMoment(row.started_at);
          const is_async = row.async_id !== null;
          const logs = toLogs(row.printed);
          return [{ id: row.id, tool_id, tool_version, started_at, logs, is_async }];
        });
        return { status: 200, body: { running_invocations: running.slice(0, 100) } };
      },
    }),
  ];
}

function readDraft(text = "null"): InvocationDraft | null {
  return readStoredJsonOr<InvocationDraft | null>(text, null, isDraft);
}
