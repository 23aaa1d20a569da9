import type { JsonSchema } from "@haft/contract";
import type { Selectable } from "kysely";
import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { Wire } from "../api/wire.ts";
import { administratorRole } from "../auth/permissions.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { idPattern } from "../new-id.ts";
import { InvalidRequest } from "../problem.ts";
import type { ApiKeyRow } from "../store/schema.ts";
import { type CreatedApiKey, readOwnPermissions } from "./api-keys.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { requireDuration } from "./require-duration.ts";
import { maxGrants } from "./require-grantable.ts";
import { requireName } from "./require-name.ts";
import { listOf, objectOf, paramsOf, text } from "./route-schemas.ts";

const duration: JsonSchema = { type: "string", format: "duration" };

const createdKey = {
  type: "object",
  properties: {
    api_key_id: { type: "string" },
    api_key: { type: "string" },
    expires_at: { type: "string", format: "date-time" },
  },
  required: ["api_key_id", "api_key", "expires_at"],
} as const;

/** A new API key, as the API shows it once. */
export type IssuedApiKey = Wire<typeof createdKey>;

const keyInstance = {
  type: "object",
  properties: {
    _id: { type: "string" },
    name: { anyOf: [{ type: "string" }, { type: "null" }] },
    org_id: { type: "string" },
    created_at: { type: "string", format: "date-time" },
    updated_at: { type: "string", format: "date-time" },
    key_id: { type: "string" },
    expires_at: { type: "string", format: "date-time" },
    creator: {
      type: "object",
      properties: { user_id: { type: "string" }, org_id: { type: "string" } },
      required: ["user_id", "org_id"],
    },
    role_id: { type: "string" },
    permissions: {
      anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }],
      description: "What the key narrows its role to. Null if it has all of the role.",
    },
  },
  required: [
    "_id",
    "name",
    "org_id",
    "created_at",
    "updated_at",
    "key_id",
    "expires_at",
    "creator",
    "role_id",
    "permissions",
  ],
} as const;

/** An API key, as the API shows it. */
export type ApiKey = Wire<typeof keyInstance>;

interface CreateBody {
  readonly name: string | null;
  readonly duration: string;
  readonly role_name: string;
  readonly user_id?: string;
  readonly permissions?: readonly string[] | null;
}

/** The API's routes for API keys. */
export function apiKeyRoutes({ apiKeys }: OrganizationServices): readonly AnyRoute[] {
  const url = "/v1/:organization/organization/api_key/";
  return [
    defineRoute<CreateBody>({
      method: "POST",
      url,
      operationId: "create-api-key",
      summary: "Creates an API key. It is shown only once.",
      permission: "Organization:CreateAPIKey",
      schema: {
        params: paramsOf(),
        body: {
          type: "object",
          properties: {
            name: { anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
            duration,
            role_name: { type: "string", default: administratorRole },
            user_id: {
              type: "string",
              pattern: idPattern,
              description: "ID of the key's user. Default: the caller.",
            },
            permissions: {
              anyOf: [{ type: "array", items: text, maxItems: maxGrants }, { type: "null" }],
              description:
                "Narrows the role: the key may do what both allow. In the form of a role's permissions.",
            },
          },
          required: ["name", "duration"],
        },
        response: { 201: createdKey },
      },
      handle: async ({ principal, body }) => {
        const created = await apiKeys.create(principal, {
          name: requireKeyName(body.name),
          durationMs: requireDuration("duration", body.duration),
          roleName: body.role_name ?? administratorRole,
          userId: body.user_id,
          permissions: body.permissions ?? undefined,
        });
        return { status: 201, body: toCreated(created) };
      },
    }),
    defineRoute({
      method: "GET",
      url,
      operationId: "get-api-keys",
      summary: "Lists the API keys, without the keys themselves.",
      permission: "Organization:GetAPIKey",
      schema: {
        params: paramsOf(),
        response: { 200: objectOf({ api_keys: listOf(keyInstance) }) },
      },
      handle: async ({ principal }) => {
        const rows = await apiKeys.list(principal);
        return { status: 200, body: { api_keys: rows.map(toInstance) } };
      },
    }),
    defineRoute<unknown, unknown, { readonly api_key_id: string }>({
      method: "DELETE",
      url: `${url}:api_key_id/`,
      operationId: "delete-api-key",
      summary: "Deletes an API key and invalidates every token issued with it.",
      permission: "Organization:DeleteAPIKey",
      schema: {
        params: paramsOf("api_key_id"),
        response: { 200: objectOf({ deleted_key_id: text }) },
      },
      handle: async ({ principal, params }) => {
        await apiKeys.delete(principal, params.api_key_id);
        return { status: 200, body: { deleted_key_id: params.api_key_id } };
      },
    }),
    defineRoute<
      { readonly grace?: string; readonly duration?: string } | null,
      unknown,
      { readonly api_key_id: string }
    >({
      method: "POST",
      url: `${url}:api_key_id/rotate`,
      operationId: "rotate-api-key",
      summary: "Replaces an API key. The old key ends at once, or after a grace period.",
      permission: ["Organization:CreateAPIKey", "Organization:DeleteAPIKey"],
      schema: {
        params: paramsOf("api_key_id"),
        body: {
          type: ["object", "null"],
          properties: {
            grace: {
              ...duration,
              description: "How long the old key stays valid. Default: it ends at once.",
            },
            duration: {
              ...duration,
              description: "Lifetime of the new key. Default: that of the old key.",
            },
          },
        },
        response: { 201: createdKey },
      },
      handle: async ({ principal, params, body }) => {
        const { grace, duration: length } = body ?? {};
        const created = await apiKeys.rotate(principal, params.api_key_id, {
          graceMs: grace === undefined ? 0 : requireDuration("grace", grace, 0),
          durationMs: length === undefined ? undefined : requireDuration("duration", length),
        });
        return { status: 201, body: toCreated(created) };
      },
    }),
  ];
}

function requireKeyName(name: string | null): string | null {
  if (name === null) return null;
  if (name.trim() !== "") return requireName("an API key", name);
  throw new InvalidRequest([
    {
      loc: ["body", "name"],
      msg: "Expected text that is not blank.",
      type: "string_too_short",
      input: name,
    },
  ]);
}

function toCreated({ keyId, apiKey, expiresAt }: CreatedApiKey): IssuedApiKey {
  return { api_key_id: keyId, api_key: apiKey, expires_at: toIsoMoment(expiresAt) };
}

function toInstance(row: Selectable<ApiKeyRow>): ApiKey {
  return {
    _id: row.id,
    name: row.name,
    org_id: row.org_id,
    created_at: toIsoMoment(row.created_at),
    updated_at: toIsoMoment(row.updated_at),
    key_id: row.key_id,
    expires_at: toIsoMoment(row.expires_at),
    creator: { user_id: row.creator_user_id, org_id: row.org_id },
    role_id: row.role_id,
    permissions: readOwnPermissions(row.permissions),
  };
}
