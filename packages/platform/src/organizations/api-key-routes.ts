import type { JsonSchema } from "@haft/contract";
import type { Selectable } from "kysely";
import { type AnyRoute, defineRoute } from "../api/route.ts";
import { administratorRole } from "../auth/permissions.ts";
import { idPattern } from "../new-id.ts";
import { InvalidRequest } from "../problem.ts";
import type { ApiKeyRow } from "../store/schema.ts";
import type { CreatedApiKey } from "./api-keys.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { requireDuration } from "./require-duration.ts";
import { requireName } from "./require-name.ts";
import { listOf, moment, objectOf, paramsOf, text, toTimestamp } from "./route-schemas.ts";

const duration: JsonSchema = { type: "string", format: "duration" };

const createdKey = objectOf({ api_key_id: text, api_key: text, expires_at: moment });

const keyInstance = objectOf({
  _id: text,
  name: { anyOf: [text, { type: "null" }] },
  org_id: text,
  created_at: moment,
  updated_at: moment,
  key_id: text,
  expires_at: moment,
  creator: objectOf({ user_id: text, org_id: text }),
  role_id: text,
});

interface CreateBody {
  readonly name: string | null;
  readonly duration: string;
  readonly role_name: string;
  readonly user_id?: string;
}

/** An organization's API keys, over HTTP. */
export function apiKeyRoutes({ apiKeys }: OrganizationServices): readonly AnyRoute[] {
  const url = "/v1/:organization/organization/api_key/";
  return [
    defineRoute<CreateBody>({
      method: "POST",
      url,
      operationId: "create-api-key",
      summary: "Make an API key. It is shown this once.",
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
              description: "Whose key it is; without it, your own.",
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
        });
        return { status: 201, body: toCreated(created) };
      },
    }),
    defineRoute({
      method: "GET",
      url,
      operationId: "get-api-keys",
      summary: "List the API keys, without the keys themselves.",
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
      summary: "Delete an API key, and every token made with it, at once.",
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
      summary: "Replace an API key by a new one; the old one ends at once or after a grace time.",
      permission: ["Organization:CreateAPIKey", "Organization:DeleteAPIKey"],
      schema: {
        params: paramsOf("api_key_id"),
        body: {
          type: ["object", "null"],
          properties: {
            grace: { ...duration, description: "How long the old key still works." },
            duration: { ...duration, description: "Without it, as long as the old key's." },
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
    { loc: ["body", "name"], msg: "This must not be blank", type: "string_too_short", input: name },
  ]);
}

function toCreated({ keyId, apiKey, expiresAt }: CreatedApiKey): unknown {
  return { api_key_id: keyId, api_key: apiKey, expires_at: toTimestamp(expiresAt) };
}

function toInstance(row: Selectable<ApiKeyRow>): unknown {
  return {
    _id: row.id,
    name: row.name,
    org_id: row.org_id,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    key_id: row.key_id,
    expires_at: toTimestamp(row.expires_at),
    creator: { user_id: row.creator_user_id, org_id: row.org_id },
    role_id: row.role_id,
  };
}
