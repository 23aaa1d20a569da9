import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { toolParams } from "../tools/tool-schemas.ts";
import { deprecateVersions } from "./deprecate-versions.ts";
import { latestRoutes } from "./latest-routes.ts";
import { listVersions } from "./list-versions.ts";
import {
  type FilledVersionQuery,
  versionPage,
  versionQuery,
  versionsParams,
} from "./version-schemas.ts";

/** The API's routes for versions, except publishing and invoking. */
export function versionRoutes(parts: PlatformParts): readonly AnyRoute[] {
  return [
    ...latestRoutes(parts),
    defineRoute<unknown, FilledVersionQuery, { readonly tool_id: string }>({
      method: "GET",
      url: "/v1/:organization/tool/:tool_id/version",
      operationId: "get-tool-versions",
      summary: "Lists a tool's versions.",
      permission: null,
      about: "tool",
      schema: { params: toolParams, querystring: versionQuery, response: { 200: versionPage } },
      handle: async ({ principal: { organization }, params, query }) => ({
        status: 200,
        body: await listVersions(parts, { organization, toolId: params.tool_id }, query),
      }),
    }),
    defineRoute<unknown, unknown, { readonly tool_id: string; readonly versions: string }>({
      method: "DELETE",
      url: "/v1/:organization/tool/:tool_id/version/:versions",
      operationId: "deprecate-tool-version",
      summary: "Deprecates the versions of a tool that a constraint names.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: versionsParams, response: { 204: null } },
      handle: async ({ principal, params: { tool_id: toolId, versions } }) => {
        await deprecateVersions(parts, principal, { toolId, versions });
        return { status: 204 };
      },
    }),
  ];
}
