import type { IncomingHttpHeaders } from "node:http";
import { type AnyRoute, defineOpenRoute } from "../api/route.ts";
import { signIn } from "../auth/sign-in.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { InvalidRequest } from "../problem.ts";
import { describeCaller, whoami } from "./describe-caller.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { moment, objectOf, paramsOf, text } from "./route-schemas.ts";

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
        return {
          status: 200,
          body: await describeCaller(parts.store, principal),
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
