import type { JsonSchema } from "@haft/contract";
import type { Selectable } from "kysely";
import { type AnyRoute, defineRoute } from "../api/route.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { UserRow } from "../store/schema.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { listOf, moment, objectOf, paramsOf, text } from "./route-schemas.ts";
import type { UserVariableChanges } from "./user-variables.ts";

const userInstance = objectOf({ id: text, org_id: text, name: text, created_at: moment });

const variableName: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: 255,
  pattern: "^[a-z_][a-z0-9_]+$",
};

interface NewUser {
  readonly name?: string;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly email?: string | null;
}

/** Clients of the classic API send no name, but its parts. */
function toName({ name, first_name, last_name, email }: NewUser): string {
  const full = [first_name, last_name].filter(Boolean).join(" ").trim();
  return name ?? (full || email?.trim() || "user");
}

/** The API's routes for users and their variables. */
export function userRoutes({ users, userVariables }: OrganizationServices): readonly AnyRoute[] {
  const url = "/v1/:organization/user/";
  return [
    defineRoute<NewUser>({
      method: "POST",
      url,
      operationId: "create-user",
      summary: "Creates a user.",
      permission: "User:CreateUser",
      schema: {
        params: paramsOf(),
        body: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 1 },
            first_name: { type: ["string", "null"] },
            last_name: { type: ["string", "null"] },
            email: { type: ["string", "null"] },
          },
        },
        response: { 201: userInstance },
      },
      handle: async ({ principal, body }) => ({
        status: 201,
        body: toInstance(await users.create(principal, toName(body))),
      }),
    }),
    defineRoute({
      method: "GET",
      url,
      operationId: "get-users",
      summary: "Lists the users.",
      permission: "User:GetUser",
      schema: { params: paramsOf(), response: { 200: objectOf({ users: listOf(userInstance) }) } },
      handle: async ({ principal }) => ({
        status: 200,
        body: { users: (await users.list(principal)).map(toInstance) },
      }),
    }),
    defineRoute<UserVariableChanges, unknown, { readonly requested_user_id: string }>({
      method: "POST",
      url: `${url}:requested_user_id/variable`,
      operationId: "modify-user-variables",
      summary: "Sets and deletes variables of a user. All changes are made, or none.",
      permission: "User:UpdateUserInfo",
      schema: {
        params: paramsOf("requested_user_id"),
        body: {
          type: "object",
          properties: {
            upserts: {
              ...listOf(
                objectOf({
                  name: variableName,
                  value: { type: "string", minLength: 1, maxLength: 255 },
                  is_secret: { type: "boolean" },
                }),
              ),
              default: [],
            },
            deletes: { ...listOf(objectOf({ name: variableName })), default: [] },
          },
        },
        response: { 204: null },
      },
      handle: async ({ principal, params, body }) => {
        const { upserts = [], deletes = [] } = body;
        await userVariables.modify(principal, params.requested_user_id, { upserts, deletes });
        return { status: 204 };
      },
    }),
  ];
}

function toInstance({ id, org_id, name, created_at }: Selectable<UserRow>): unknown {
  return { id, org_id, name, created_at: toIsoMoment(created_at) };
}
