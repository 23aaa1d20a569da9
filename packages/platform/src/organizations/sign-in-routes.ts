import type { IncomingHttpHeaders } from "node:http";
import { type AnyRoute, defineOpenRoute } from "../api/route.ts";
import { permissions } from "../auth/permissions.ts";
import { signIn } from "../auth/sign-in.ts";
import { InvalidRequest } from "../problem.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { listOf, moment, objectOf, paramsOf, text, toTimestamp } from "./route-schemas.ts";

/** How somebody becomes known, and learns as whom. */
export function signInRoutes(services: OrganizationServices): readonly AnyRoute[] {
  const { parts, tokens, authenticator } = services;
  return [
    defineOpenRoute<unknown, unknown, { readonly organization: string }>({
      method: "POST",
      url: "/v1/:organization/user/signin_with_api_key",
      operationId: "sign-in-with-api-key",
      summary: "Get a token for an API key.",
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
          body: { id_token: token, expires_at: toTimestamp(expiresAt) },
          headers: { "cache-control": "no-store" },
        };
      },
    }),
    defineOpenRoute({
      method: "GET",
      url: "/v1/whoami",
      operationId: "who-am-i",
      summary: "Tell which organization, user and role a credential has.",
      schema: {
        response: {
          200: objectOf({
            organization: text,
            organization_name: text,
            user_id: text,
            api_key_id: text,
            role: text,
            permissions: listOf(text),
          }),
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
            permissions: permissions.filter((permission) => principal.may(permission)),
          },
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
      missing.map((name) => ({ loc: ["header", name], msg: "Field required", type: "missing" })),
    );
  }
  return names.map((name) => headers[name]) as [string, string, string];
}
