import { type AnyRoute, defineOpenRoute, defineRoute } from "../api/route.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { idPattern } from "../new-id.ts";
import { describeCaller, whoami } from "../organizations/describe-caller.ts";
import type { OrganizationServices } from "../organizations/organization-services.ts";
import { listOf, moment, objectOf, paramsOf, text } from "../organizations/route-schemas.ts";
import { Problem } from "../problem.ts";
import { readSessionCookies, requireOwnPage, toSetCookie } from "./session-cookie.ts";

interface SignIn {
  readonly link?: string;
  readonly api_key?: string;
}

const session = objectOf({
  id: text,
  api_key_id: text,
  client: { ...text, description: "What the browser calls itself." },
  created_at: moment,
  expires_at: moment,
});

const sessionIds = {
  type: "object",
  properties: {
    organization: { type: "string" },
    session_id: { type: "string", pattern: idPattern },
  },
  required: ["organization", "session_id"],
} as const;

/** The API's routes for browsers: signing in and out, and which ones are signed in. */
export function consoleSessionRoutes(services: OrganizationServices): readonly AnyRoute[] {
  const { parts, authenticator, consoleSessions: sessions } = services;
  const own = "/v1/console/session";
  const listed = "/v1/:organization/organization/console_session";
  return [
    defineOpenRoute<SignIn>({
      method: "POST",
      url: own,
      operationId: "sign-in-to-console",
      summary:
        "Signs in a browser with the token of a link, which works once, or with an API key. Sets a cookie.",
      schema: {
        body: {
          type: "object",
          properties: { link: { type: "string" }, api_key: { type: "string" } },
        },
        response: { 200: whoami },
      },
      handleOpen: async ({ body, headers }) => {
        requireOwnPage("POST", headers);
        const { link, api_key: apiKey } = body;
        if ((link === undefined) === (apiKey === undefined)) {
          throw new Problem(400, "Send either link, the token of a link, or api_key.");
        }
        const by = link === undefined ? { apiKey: apiKey ?? "" } : { link };
        const { token, expiresAt, principal } = await sessions.open(
          by,
          headers["user-agent"] ?? "",
        );
        const seconds = Math.floor((expiresAt - parts.now()) / 1000);
        return {
          status: 200,
          body: await describeCaller(parts.store, principal),
          headers: {
            "set-cookie": toSetCookie(headers, principal.organization, { token, seconds }),
          },
        };
      },
    }),
    defineOpenRoute({
      method: "GET",
      url: own,
      operationId: "get-console-sign-ins",
      summary: "Lists the organizations that this browser is signed in to, by its cookies.",
      schema: { response: { 200: objectOf({ organizations: listOf(whoami) }) } },
      handleOpen: async ({ headers }) => {
        requireOwnPage("GET", headers);
        const found = await Promise.all(
          Array.from(readSessionCookies(headers).values(), (token) =>
            authenticator.identify(`Bearer ${token}`).then(
              (principal) => describeCaller(parts.store, principal),
              () => undefined,
            ),
          ),
        );
        const organizations = found.filter((each) => each !== undefined);
        return { status: 200, body: { organizations } };
      },
    }),
    defineOpenRoute<unknown, unknown, { readonly organization: string }>({
      method: "DELETE",
      url: `${own}/:organization`,
      operationId: "sign-out-of-console",
      summary: "Signs this browser out of an organization.",
      schema: {
        params: {
          type: "object",
          properties: { organization: { type: "string", pattern: idPattern } },
        },
        response: { 204: null },
      },
      handleOpen: async ({ headers, params }) => {
        requireOwnPage("DELETE", headers);
        const token = readSessionCookies(headers).get(params.organization);
        if (token !== undefined) await sessions.close(token);
        const cookie = toSetCookie(headers, params.organization);
        return { status: 204, headers: { "set-cookie": cookie } };
      },
    }),
    defineRoute({
      method: "POST",
      url: "/v1/:organization/organization/console_link",
      operationId: "create-console-link",
      summary:
        "Creates a link that signs in one browser to the console, once, with the caller's key.",
      permission: null,
      schema: {
        params: paramsOf(),
        response: {
          201: objectOf({
            path: { ...text, description: "Open it on this server's address." },
            expires_at: moment,
          }),
        },
      },
      handle: async ({ principal }) => {
        const { token, expiresAt } = await sessions.createLink(principal);
        // In the fragment, which browsers do not send and servers do not log.
        const body = { path: `/#sign-in=${token}`, expires_at: toIsoMoment(expiresAt) };
        return { status: 201, body };
      },
    }),
    defineRoute({
      method: "GET",
      url: listed,
      operationId: "get-console-sessions",
      summary:
        "Lists the browsers that are signed in with the caller's key; with Organization:GetAPIKey, with any key.",
      permission: null,
      schema: {
        params: paramsOf(),
        response: { 200: objectOf({ sessions: listOf(session) }) },
      },
      handle: async ({ principal }) => {
        const { organization, keyId } = principal;
        const isAll = principal.may("Organization:GetAPIKey");
        const rows = await sessions.list(organization, isAll ? undefined : keyId);
        return {
          status: 200,
          body: {
            sessions: rows.map((row) => ({
              id: row.id,
              api_key_id: row.key_id,
              client: row.client,
              created_at: toIsoMoment(row.created_at),
              expires_at: toIsoMoment(row.expires_at),
            })),
          },
        };
      },
    }),
    defineRoute<unknown, unknown, { readonly session_id: string }>({
      method: "DELETE",
      url: `${listed}/:session_id`,
      operationId: "end-console-session",
      summary:
        "Signs out a browser that is signed in with the caller's key; with Organization:DeleteAPIKey, with any key.",
      permission: null,
      schema: { params: sessionIds, response: { 204: null } },
      handle: async ({ principal, params }) => {
        const isAny = principal.may("Organization:DeleteAPIKey");
        await sessions.end(principal, params.session_id, isAny ? undefined : principal.keyId);
        return { status: 204 };
      },
    }),
  ];
}
