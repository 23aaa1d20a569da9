import { type AnyRoute, defineRoute } from "../api/route.ts";
import { permissions } from "../auth/permissions.ts";
import type { OrganizationServices } from "./organization-services.ts";
import type { Role } from "./roles.ts";
import { listOf, moment, objectOf, paramsOf, text, toTimestamp } from "./route-schemas.ts";

const roleInstance = objectOf({
  id: text,
  name: text,
  permissions: listOf(text),
  created_at: moment,
});

/** An organization's roles, over HTTP. */
export function roleRoutes({ roles }: OrganizationServices): readonly AnyRoute[] {
  const url = "/v1/:organization/organization/role/";
  return [
    defineRoute<{ readonly name: string; readonly permissions: readonly string[] }>({
      method: "POST",
      url,
      operationId: "create-role",
      summary: "Make a role, which API keys can be given.",
      permission: "Organization:CreateRole",
      schema: {
        params: paramsOf(),
        body: objectOf({
          name: { type: "string", minLength: 1 },
          permissions: {
            ...listOf(text),
            description: `Of: ${permissions.join(", ")}.`,
          },
        }),
        response: { 201: roleInstance },
      },
      handle: async ({ principal, body }) => ({
        status: 201,
        body: toInstance(await roles.create(principal, body)),
      }),
    }),
    defineRoute({
      method: "GET",
      url,
      operationId: "get-roles",
      summary: "List the roles.",
      permission: "Organization:GetRole",
      schema: { params: paramsOf(), response: { 200: objectOf({ roles: listOf(roleInstance) }) } },
      handle: async ({ principal }) => ({
        status: 200,
        body: { roles: (await roles.list(principal)).map(toInstance) },
      }),
    }),
    defineRoute<unknown, unknown, { readonly role_name: string }>({
      method: "DELETE",
      url: `${url}:role_name`,
      operationId: "delete-role",
      summary: "Delete a role that no API key has.",
      permission: "Organization:DeleteRole",
      schema: { params: paramsOf("role_name"), response: { 204: null } },
      handle: async ({ principal, params }) => {
        await roles.delete(principal, params.role_name);
        return { status: 204 };
      },
    }),
  ];
}

function toInstance({ id, name, permissions: allowed, createdAt }: Role): unknown {
  return { id, name, permissions: allowed, created_at: toTimestamp(createdAt) };
}
