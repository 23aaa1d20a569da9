import { type AnyRoute, type ApiReply, defineRoute } from "../api/route.ts";
import type { Principal } from "../auth/principal.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { toolParams } from "../tools/tool-schemas.ts";
import { clearRetention, readRetention, setRetention } from "./retention.ts";
import { type RetentionLimits, retentionBody, retentionReply } from "./retention-schemas.ts";

interface ToolParams {
  readonly tool_id: string;
}

// What it deletes can't be restored.
const mayDelete = "Tool:DeleteTool";

/** The API's routes for how long invocations are kept: by an organization, and of one tool. */
export function retentionRoutes(
  parts: Pick<PlatformParts, "store" | "settings" | "audit" | "now">,
): readonly AnyRoute[] {
  const ofAll = { url: "/v1/:organization/tool/retention" };
  const ofTool = { url: "/v1/:organization/tool/:tool_id/retention", about: "tool" } as const;
  const show = async ({ organization }: Principal, toolId?: string): Promise<ApiReply> => ({
    status: 200,
    body: await readRetention(parts, organization, toolId),
  });
  return [
    defineRoute({
      ...ofAll,
      method: "GET",
      operationId: "get-retention",
      summary: "Shows how long the invocations of tools without limits of their own are kept.",
      permission: "Tool:GetTool",
      schema: { response: { 200: retentionReply } },
      handle: ({ principal }) => show(principal),
    }),
    defineRoute<RetentionLimits>({
      ...ofAll,
      method: "PUT",
      operationId: "set-retention",
      summary: "Limits how long the invocations of tools without limits of their own are kept.",
      permission: mayDelete,
      schema: { body: retentionBody, response: { 200: retentionReply } },
      handle: async ({ principal, body }) => {
        await setRetention(parts, principal, body);
        return show(principal);
      },
    }),
    defineRoute({
      ...ofAll,
      method: "DELETE",
      operationId: "clear-retention",
      summary: "Removes the organization's limits on how long invocations are kept.",
      permission: mayDelete,
      schema: { response: { 200: retentionReply } },
      handle: async ({ principal }) => {
        await clearRetention(parts, principal);
        return show(principal);
      },
    }),
    defineRoute<unknown, unknown, ToolParams>({
      ...ofTool,
      method: "GET",
      operationId: "get-tool-retention",
      summary: "Shows how long the invocations of a tool are kept.",
      permission: null,
      schema: { params: toolParams, response: { 200: retentionReply } },
      handle: ({ principal, params }) => show(principal, params.tool_id),
    }),
    defineRoute<RetentionLimits, unknown, ToolParams>({
      ...ofTool,
      method: "PUT",
      operationId: "set-tool-retention",
      summary: "Limits how long the invocations of a tool are kept.",
      permission: mayDelete,
      schema: { params: toolParams, body: retentionBody, response: { 200: retentionReply } },
      handle: async ({ principal, params, body }) => {
        await setRetention(parts, principal, { ...body, toolId: params.tool_id });
        return show(principal, params.tool_id);
      },
    }),
    defineRoute<unknown, unknown, ToolParams>({
      ...ofTool,
      method: "DELETE",
      operationId: "clear-tool-retention",
      summary: "Removes a tool's own limits on how long its invocations are kept.",
      permission: mayDelete,
      schema: { params: toolParams, response: { 200: retentionReply } },
      handle: async ({ principal, params }) => {
        await clearRetention(parts, principal, params.tool_id);
        return show(principal, params.tool_id);
      },
    }),
  ];
}
