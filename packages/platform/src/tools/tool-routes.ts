import { type AnyRoute, defineRoute } from "../api/route.ts";
import { findVisibleTools } from "../auth/tool-access.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { addTool } from "./add-tool.ts";
import { changeVariables } from "./change-variables.ts";
import { createTagLister } from "./create-tag-lister.ts";
import { deprecateTool } from "./deprecate-tool.ts";
import { listTools } from "./list-tools.ts";
import { modifyTool } from "./modify-tool.ts";
import {
  type FilledToolQuery,
  type FilledVariableChanges,
  idReply,
  type NewTool,
  newToolBody,
  type ToolChange,
  toolModificationBody,
  toolPage,
  toolParams,
  toolQuery,
  variableChangesBody,
} from "./tool-schemas.ts";

interface ToolParams {
  readonly tool_id: string;
}

/** The API's routes for tools and their variables. */
export function toolRoutes(parts: PlatformParts): readonly AnyRoute[] {
  const listing = { store: parts.store, listTags: createTagLister(parts.store) };
  return [
    defineRoute<NewTool>({
      method: "POST",
      url: "/v1/:organization/tool/",
      operationId: "create-tool",
      summary: "Creates a tool.",
      permission: "Tool:CreateTool",
      schema: { body: newToolBody, response: { 201: idReply } },
      handle: async ({ principal, body }) => ({
        status: 201,
        body: { id: await addTool(parts, principal, body) },
      }),
    }),
    defineRoute<unknown, FilledToolQuery>({
      method: "GET",
      url: "/v1/:organization/tool/",
      operationId: "get-tools",
      summary: "Lists tools.",
      permission: null,
      about: "tools",
      schema: { querystring: toolQuery, response: { 200: toolPage } },
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await listTools(listing, query, {
          organization: principal.organization,
          visible: await findVisibleTools(principal),
        }),
      }),
    }),
    defineRoute<ToolChange, unknown, ToolParams>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id",
      operationId: "modify-tool",
      summary: "Changes what is said of a tool.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: toolParams, body: toolModificationBody, response: { 204: null } },
      handle: async ({ principal, params, body }) => {
        await modifyTool(parts, principal, { ...body, toolId: params.tool_id });
        return { status: 204 };
      },
    }),
    defineRoute<unknown, unknown, ToolParams>({
      method: "DELETE",
      url: "/v1/:organization/tool/:tool_id",
      operationId: "deprecate-tool",
      summary: "Deprecates a tool and all its versions.",
      permission: "Tool:DeleteTool",
      about: "tool",
      schema: { params: toolParams, response: { 204: null } },
      handle: async ({ principal, params }) => {
        await deprecateTool(parts, principal, params.tool_id);
        return { status: 204 };
      },
    }),
    defineRoute<FilledVariableChanges, unknown, ToolParams>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/envvar",
      operationId: "modify-tool-envvars",
      summary: "Inserts, updates and deletes variables of a tool, all or nothing.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: { params: toolParams, body: variableChangesBody, response: { 204: null } },
      handle: async ({ principal, params, body }) => {
        await changeVariables(parts, principal, { ...body, toolId: params.tool_id });
        return { status: 204 };
      },
    }),
  ];
}
