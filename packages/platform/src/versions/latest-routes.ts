import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { Filled } from "../api/wire.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { CanaryRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { requireTool, type ToolReference } from "../tools/require-tool.ts";
import { toolParams } from "../tools/tool-schemas.ts";
import { startCanary, stopCanary } from "./canary.ts";
import { findLastCanary } from "./canary-rows.ts";
import { findLatest } from "./latest.ts";
import {
  type Canary,
  canaryBody,
  canaryReply,
  exactVersionBody,
  type LatestReply,
  latestMoveReply,
  latestReply,
} from "./latest-schemas.ts";
import { promoteVersion, rollBackLatest } from "./move-latest.ts";
import { restoreTool, restoreVersion } from "./restore.ts";
import { versionsParams } from "./version-schemas.ts";
import { toText } from "./version-text.ts";

interface ToolParams {
  readonly tool_id: string;
}

/** The API's routes for the pointer `latest`, for canaries, and for restoring what was deprecated. */
export function latestRoutes(parts: PlatformParts): readonly AnyRoute[] {
  return [
    defineRoute<unknown, unknown, ToolParams>({
      method: "GET",
      url: "/v1/:organization/tool/:tool_id/latest",
      operationId: "get-tool-latest",
      summary: "Shows which version `latest` names, its last moves, and the tool's canary.",
      permission: null,
      about: "tool",
      schema: { params: toolParams, response: { 200: latestReply } },
      handle: async ({ principal: { organization }, params }) => ({
        status: 200,
        body: await readLatest(parts.store, { organization, toolId: params.tool_id }),
      }),
    }),
    defineRoute<{ readonly version: string }, unknown, ToolParams>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/latest",
      operationId: "promote-tool-version",
      summary: "Lets `latest` name a version of a tool. A candidate becomes an ordinary version.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: toolParams, body: exactVersionBody, response: { 200: latestMoveReply } },
      handle: async ({ principal, params, body: { version } }) => ({
        status: 200,
        body: await promoteVersion(parts, principal, { toolId: params.tool_id, version }),
      }),
    }),
    defineRoute<unknown, unknown, ToolParams>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/latest/rollback",
      operationId: "roll-back-tool-latest",
      summary: "Lets `latest` name the version that it named before.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: toolParams, response: { 200: latestMoveReply } },
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await rollBackLatest(parts, principal, params.tool_id),
      }),
    }),
    defineRoute<unknown, unknown, ToolParams>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/restore",
      operationId: "restore-tool",
      summary: "Restores a deprecated tool and the versions that were deprecated with it.",
      permission: "Tool:DeleteTool",
      about: "tool",
      schema: { params: toolParams, response: { 204: null } },
      handle: async ({ principal, params }) => {
        await restoreTool(parts, principal, params.tool_id);
        return { status: 204 };
      },
    }),
    defineRoute<unknown, unknown, ToolParams & { readonly versions: string }>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/version/:versions/restore",
      operationId: "restore-tool-version",
      summary: "Restores a deprecated version of a tool, by its exact number.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: versionsParams, response: { 204: null } },
      handle: async ({ principal, params: { tool_id: toolId, versions: version } }) => {
        await restoreVersion(parts, principal, { toolId, version });
        return { status: 204 };
      },
    }),
    defineRoute<Filled<typeof canaryBody>, unknown, ToolParams>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/canary",
      operationId: "start-tool-canary",
      summary:
        "Sends a part of the calls of `latest` to another version, until it fails too often.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: toolParams, body: canaryBody, response: { 200: canaryReply } },
      handle: async ({ principal, params, body: { version, percent, abort_if: abortIf } }) => {
        const canary = { toolId: params.tool_id, version, percent, abortIf };
        return { status: 200, body: toCanary(await startCanary(parts, principal, canary)) };
      },
    }),
    defineRoute<unknown, unknown, ToolParams>({
      method: "DELETE",
      url: "/v1/:organization/tool/:tool_id/canary",
      operationId: "stop-tool-canary",
      summary: "Stops the canary of a tool.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: toolParams, response: { 204: null } },
      handle: async ({ principal, params }) => {
        await stopCanary(parts, principal, params.tool_id);
        return { status: 204 };
      },
    }),
  ];
}

const maxMoves = 50;

async function readLatest({ db }: Store, reference: ToolReference): Promise<LatestReply> {
  const { toolId } = reference;
  const tool = await requireTool(db, reference);
  const latest = tool.deprecated === 1 ? undefined : await findLatest(db, toolId);
  const canary = await findLastCanary(db, toolId);
  const moves = await db
    .selectFrom("latest_moves")
    .selectAll()
    .where("tool_id", "=", toolId)
    .orderBy("seq", "desc")
    .limit(maxMoves)
    .execute();
  return {
    latest: latest === undefined ? null : toText(latest),
    canary: canary === undefined ? null : toCanary(canary),
    moves: moves.map(({ from_version: from, to_version: to, reason, user_id, created_at }) => ({
      ...{ from, to, reason, user_id, created_at: toIsoMoment(created_at) },
    })),
  };
}

function toCanary(row: CanaryRow): Canary {
  const { version, percent, abort_if, calls, errors, stable_calls, stable_errors } = row;
  return {
    ...{ version, percent, abort_if, calls, errors, stable_calls, stable_errors },
    user_id: row.user_id,
    started_at: toIsoMoment(row.started_at),
    ended_at: row.ended_at === null ? null : toIsoMoment(row.ended_at),
    outcome: row.outcome,
  };
}
