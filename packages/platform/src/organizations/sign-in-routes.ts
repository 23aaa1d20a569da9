import type { IncomingHttpHeaders } from "node:http";
import { type AnyRoute, defineOpenRoute } from "../api/route.ts";
import type { Wire } from "../api/wire.ts";
import { permissions } from "../auth/permissions.ts";
import { signIn } from "../auth/sign-in.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { InvalidRequest } from "../problem.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { moment, objectOf, paramsOf, text } from "./route-schemas.ts";

const whoami = {
  type: "object",
  properties: {
    organization: { type: "string" },
    organization_name: { type: "string" },
    user_id: { type: "string" },
    api_key_id: { type: "string" },
    role: { type: "string" },
    permissions: { type: "array", items: { type: "string" } },
  },
  required: ["organization", "organization_name", "user_id", "api_key_id", "role", "permissions"],
} as const;

/** The organization, user and role of a credential. */
export type Whoami = Wire<typeof whoami>;

/** The API's routes for signing in. */
export function signInRoutes(services: OrganizationServices): readonly AnyRoute[] {
  const { parts, tokens, authenticator } = services;
  return [
    defineOpenRoute<unknown, unknown, { readonly organization: string }>({
      method: "POST",
      url: "/v1/:organization/user/signin_with_api_key",
      operationId: "sign-in-with-api-key",
      summary: "Issues a token for an API key.",
      schema: {
        params: paramsOf(),
        headers: objectOf({ "x-api-key": text, "x-api-key-id": text, "x-user-id": text }),
        response: { 200: objectOf({ id_token: text, expires_at: moment }) },
      },
      handleOpen: async ({ params, headers }) => {
        const [apiKey, keyId, userId] = requireHeaders(headers);
        const request = { organization: params.organization, apiKey, keyId, userId };
        const { token, expiresAt } = await signIn(parts, tokens, request);
        return {
          status: 200,
          body: { id_token: token, expires_at: toIsoMoment(expiresAt) },
          headers: { "cache-control": "no-store" },
        };
      },
    }),
    defineOpenRoute({
      method: "GET",
      url: "/v1/whoami",
      operationId: "who-am-i",
      summary: "Shows the organization, user and role of the credential.",
      schema: {
        response: {
          200: whoami,
        },
      },
      handleOpen: async ({ headers }) => {
        const principal = await authenticator.identify(headers.authorization);
        const { name } = await parts.store.db
          .selectFrom("organizations")
          .select("name")
          .where("id", "=", principal.organization)
          .executeTakeFirstOrThrow();
        return {
          status: 200,
          body: {
            organization: principal.organization,
            organization_name: name,
            user_id: principal.userId,
            api_key_id: principal.keyId,
            role: principal.role,
            permissions: [
              ...permissions.filter((permission) => principal.may(permission)),
              ...(principal.limits?.texts ?? []),
            ],
          } satisfies Whoami,
          headers: { "cache-control": "no-store" },
        };
      },
    }),
  ];
}

function requireHeaders(headers: IncomingHttpHeaders): [string, string, string] {
  const names = ["x-api-key", "x-api-key-id", "x-user-id"];
  const missing = names.filter((name) => typeof headers[name] !== "string");
  if (missing.length > 0) {
    throw new InvalidRequest(
      missing.map((name) => ({
        loc: ["header", name],
        msg: "This field is required.",
        type: "missing",
      })),
    );
  }
  return names.map((name) => headers[name]) as [string, string, string];
}
