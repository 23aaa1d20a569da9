import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { Wire } from "../api/wire.ts";
import { limitablePermissions } from "../auth/grants.ts";
import { permissions } from "../auth/permissions.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { maxGrants } from "./require-grantable.ts";
import type { Role } from "./roles.ts";
import { listOf, objectOf, paramsOf, text } from "./route-schemas.ts";

const roleInstance = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    permissions: { type: "array", items: { type: "string" } },
    created_at: { type: "string", format: "date-time" },
  },
  required: ["id", "name", "permissions", "created_at"],
} as const;

/** A role, as the API shows it. */
export type RoleReply = Wire<typeof roleInstance>;

interface RoleParams {
  readonly role_name: string;
}

/** The API's routes for roles. */
export function roleRoutes({ roles }: OrganizationServices): readonly AnyRoute[] {
  const url = "/v1/:organization/organization/role/";
  const grants = {
    ...listOf(text),
    maxItems: maxGrants,
    description: `Permissions of the role: ${permissions.join(", ")}. These can be limited to some tools with @tool:ID, @tag:KEY:VALUE or @set:NAME: ${limitablePermissions.join(", ")}.`,
  };
  return [
    defineRoute<{ readonly name: string; readonly permissions: readonly string[] }>({
      method: "POST",
      url,
      operationId: "create-role",
      summary: "Creates a role for API keys.",
      permission: "Organization:CreateRole",
      schema: {
        params: paramsOf(),
        body: objectOf({
          name: { type: "string", minLength: 1 },
          permissions: grants,
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
      summary: "Lists the roles.",
      permission: "Organization:GetRole",
      schema: { params: paramsOf(), response: { 200: objectOf({ roles: listOf(roleInstance) }) } },
      handle: async ({ principal }) => ({
        status: 200,
        body: { roles: (await roles.list(principal)).map(toInstance) },
      }),
    }),
    defineRoute<{ readonly permissions: readonly string[] }, unknown, RoleParams>({
      method: "PUT",
      url: `${url}:role_name`,
      operationId: "replace-role",
      summary: "Replaces the permissions of a role, for its API keys at once.",
      permission: "Organization:CreateRole",
      schema: {
        params: paramsOf("role_name"),
        body: objectOf({ permissions: grants }),
        response: { 200: roleInstance },
      },
      handle: async ({ principal, params, body }) => ({
        status: 200,
        body: toInstance(await roles.replace(principal, params.role_name, body.permissions)),
      }),
    }),
    defineRoute<unknown, unknown, RoleParams>({
      method: "DELETE",
      url: `${url}:role_name`,
      operationId: "delete-role",
      summary: "Deletes a role that no API key uses.",
      permission: "Organization:DeleteRole",
      schema: { params: paramsOf("role_name"), response: { 204: null } },
      handle: async ({ principal, params }) => {
        await roles.delete(principal, params.role_name);
        return { status: 204 };
      },
    }),
  ];
}

function toInstance({ id, name, permissions: allowed, createdAt }: Role): RoleReply {
  return { id, name, permissions: allowed, created_at: toIsoMoment(createdAt) };
}
