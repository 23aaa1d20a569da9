import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { JsonSchema } from "@haft/contract";
import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";

/** A request that has passed all checks: schema, credential, permission and rate. */
export interface ApiRequest<Body = unknown, Query = unknown, Params = unknown> {
  readonly principal: Principal;
  /** The path's parameters. `organization` is the principal's. */
  readonly params: Params;
  /** With defaults filled in. */
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** A response. Bytes, text and streams are sent unchanged, other bodies as JSON. */
export interface ApiReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Server-sent events instead of a body, each with a name and JSON data. The response ends with the
   * iterable.
   */
  readonly events?: AsyncIterable<ServerSentEvent>;
}

/** One event of a stream. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: unknown;
  /** Sent back as `Last-Event-ID` by those who connect again. */
  readonly id?: string;
}

/** The JSON Schemas of a route, for checks and for the OpenAPI document. */
export interface RouteSchema {
  readonly params?: JsonSchema;
  readonly querystring?: JsonSchema;
  readonly headers?: JsonSchema;
  readonly body?: JsonSchema;
  /** By status; `null` for an empty response. The server adds errors. */
  readonly response: Readonly<Record<number, JsonSchema | null>>;
}

interface RouteDescription {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** In Fastify's syntax: `/v1/:organization/tool/:tool_id`. */
  readonly url: string;
  readonly operationId: string;
  /** One sentence. */
  readonly summary: string;
  /** The required permissions, all of them; `null` if any credential of the organization suffices. */
  readonly permission: Permission | readonly Permission[] | null;
  /**
   * What the permission is about. `tool`: the tool in the path, as `tool_id`; without a permission, one
   * that the caller sees. `tools`: several; the route itself leaves out those that
   * `auth/tool-access.ts` does not name. Default: the organization, so that permissions on some tools
   * do not suffice.
   */
  readonly about?: "tool" | "tools";
}

/** One operation of the API. */
export interface Route<Body = unknown, Query = unknown, Params = unknown> extends RouteDescription {
  readonly schema: RouteSchema;
  /** Throws a `Problem` for a request that can't be served. */
  handle(request: ApiRequest<Body, Query, Params>): Promise<ApiReply>;
}

/** A route that writes the response itself, such as git's. The caller is authenticated and authorized. */
export interface RawRoute extends Omit<RouteDescription, "method"> {
  readonly methods: readonly ("GET" | "POST")[];
  /** Whether the challenge is `WWW-Authenticate: Basic`. */
  readonly basic: boolean;
  handleRaw(
    request: IncomingMessage,
    response: ServerResponse,
    context: { readonly principal: Principal; readonly params: Readonly<Record<string, string>> },
  ): Promise<void>;
}

/** A route without authentication. */
export interface OpenRoute<Body = unknown, Query = unknown, Params = unknown>
  extends Omit<RouteDescription, "permission"> {
  readonly schema: RouteSchema;
  /** Maximum requests per minute and address. Default: the server's. */
  readonly perMinute?: number;
  /** Whether the body may be a form, which is then a `URLSearchParams`. Default: JSON only. */
  readonly acceptsForm?: boolean;
  handleOpen(request: Omit<ApiRequest<Body, Query, Params>, "principal">): Promise<ApiReply>;
}

/** Any kind of route. */
export type AnyRoute = Route | RawRoute | OpenRoute;

/** Defines a route with types for its request. */
export function defineRoute<Body = unknown, Query = unknown, Params = unknown>(
  route: Route<Body, Query, Params>,
): Route {
  return route as Route;
}

/** Defines an open route with types for its request. */
export function defineOpenRoute<Body = unknown, Query = unknown, Params = unknown>(
  route: OpenRoute<Body, Query, Params>,
): OpenRoute {
  return route as OpenRoute;
}
