import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { Principal } from "../auth/principal.ts";
import { findVisibleTools } from "../auth/tool-access.ts";
import {
  type FilledToolSet,
  newToolSetBody,
  type ToolSet,
  toolSetBody,
  toolSetList,
  toolSetParams,
  toolSetReply,
} from "./tool-set-schemas.ts";
import { noSuchSet, type ToolSets } from "./tool-sets.ts";

interface SetParams {
  readonly set_name: string;
}

/** The API's routes for tool sets. */
export function toolSetRoutes(sets: ToolSets): readonly AnyRoute[] {
  const url = "/v1/:organization/tool/set/";
  return [
    defineRoute<FilledToolSet>({
      method: "POST",
      url,
      operationId: "create-tool-set",
      summary:
        "Creates a tool set: a list of tools with version constraints, names and instructions.",
      permission: "Tool:ModifyToolSet",
      schema: { body: newToolSetBody, response: { 201: toolSetReply } },
      handle: async ({ principal, body }) => ({
        status: 201,
        body: await sets.create(principal, body),
      }),
    }),
    defineRoute({
      method: "GET",
      url,
      operationId: "get-tool-sets",
      summary: "Lists the tool sets, with the tools that the caller sees.",
      permission: null,
      about: "tools",
      schema: { response: { 200: toolSetList } },
      handle: async ({ principal }) => {
        const all = await sets.list(principal.organization);
        return { status: 200, body: { tool_sets: await findVisibleSets(principal, all) } };
      },
    }),
    defineRoute<unknown, unknown, SetParams>({
      method: "GET",
      url: `${url}:set_name`,
      operationId: "get-tool-set",
      summary: "Shows a tool set, with the tools that the caller sees.",
      permission: null,
      about: "tools",
      schema: { params: toolSetParams, response: { 200: toolSetReply } },
      handle: async ({ principal, params }) => {
        const found = await sets.require(principal.organization, params.set_name);
        const [set] = await findVisibleSets(principal, [found]);
        if (set === undefined) throw noSuchSet(params.set_name);
        return { status: 200, body: set };
      },
    }),
    defineRoute<Omit<FilledToolSet, "name">, unknown, SetParams>({
      method: "PUT",
      url: `${url}:set_name`,
      operationId: "replace-tool-set",
      summary: "Replaces the tools and instructions of a tool set.",
      permission: "Tool:ModifyToolSet",
      schema: { params: toolSetParams, body: toolSetBody, response: { 200: toolSetReply } },
      handle: async ({ principal, params, body }) => ({
        status: 200,
        body: await sets.replace(principal, params.set_name, body),
      }),
    }),
    defineRoute<unknown, unknown, SetParams>({
      method: "DELETE",
      url: `${url}:set_name`,
      operationId: "delete-tool-set",
      summary: "Deletes a tool set that no role or API key names.",
      permission: "Tool:ModifyToolSet",
      schema: { params: toolSetParams, response: { 204: null } },
      handle: async ({ principal, params }) => {
        await sets.delete(principal, params.set_name);
        return { status: 204 };
      },
    }),
  ];
}

/** Leaves out tools that a caller does not see, and sets of which nothing is left. */
async function findVisibleSets(
  principal: Principal,
  sets: readonly ToolSet[],
): Promise<readonly ToolSet[]> {
  const visible = await findVisibleTools(principal);
  if (visible === undefined) return sets;
  return sets
    .map((set) => ({ ...set, tools: set.tools.filter(({ tool_id }) => visible.has(tool_id)) }))
    .filter(({ tools }) => tools.length > 0);
}
