import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { JsonSchema } from "@haft/contract";
import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";

/** A request that has passed every check: shape, credential, permission, rate. */
export interface ApiRequest<Body = unknown, Query = unknown, Params = unknown> {
  readonly principal: Principal;
  /** Of the path, `organization` included: the principal's own. */
  readonly params: Params;
  /** With defaults filled in. */
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** Fires when the caller has gone away. */
  readonly signal: AbortSignal;
}

/** An answer. Without a body it is empty; bytes and text go out as they are, the rest as JSON. */
export interface ApiReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Instead of a body: server-sent events, each with a name and data that goes out as JSON. The
   * stream ends with it.
   */
  readonly events?: AsyncIterable<ServerSentEvent>;
}

/** One event of a stream. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: unknown;
}

/** What a route takes and gives, as JSON Schema. What is served and what is described come from here. */
export interface RouteSchema {
  readonly params?: JsonSchema;
  readonly querystring?: JsonSchema;
  readonly headers?: JsonSchema;
  readonly body?: JsonSchema;
  /** By status; `null` for an empty answer. Errors are added by the server. */
  readonly response: Readonly<Record<number, JsonSchema | null>>;
}

interface RouteDescription {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As Fastify writes it: `/v1/:organization/tool/:tool_id`. */
  readonly url: string;
  readonly operationId: string;
  /** One sentence. */
  readonly summary: string;
  /** What the caller needs; of several each; `null` if any credential of the organization will do. */
  readonly permission: Permission | readonly Permission[] | null;
}

/** One thing that the API can do. */
export interface Route<Body = unknown, Query = unknown, Params = unknown> extends RouteDescription {
  readonly schema: RouteSchema;
  /** Throws a `Problem` for what can't be done. */
  handle(request: ApiRequest<Body, Query, Params>): Promise<ApiReply>;
}

/** A route that answers on the bare connection, such as git's. The caller is known and may do it. */
export interface RawRoute extends Omit<RouteDescription, "method"> {
  readonly methods: readonly ("GET" | "POST")[];
  /** Tells callers that a name and password will do: `WWW-Authenticate: Basic`. */
  readonly basic: boolean;
  handleRaw(
    request: IncomingMessage,
    response: ServerResponse,
    context: { readonly principal: Principal; readonly params: Readonly<Record<string, string>> },
  ): Promise<void>;
}

/** A route that whoever asks may use without being known. */
export interface OpenRoute<Body = unknown, Query = unknown, Params = unknown>
  extends Omit<RouteDescription, "permission"> {
  readonly schema: RouteSchema;
  handleOpen(request: Omit<ApiRequest<Body, Query, Params>, "principal">): Promise<ApiReply>;
}

/** What the server can serve. */
export type AnyRoute = Route | RawRoute | OpenRoute;

/** Makes a route with types for what it takes. */
export function defineRoute<Body = unknown, Query = unknown, Params = unknown>(
  route: Route<Body, Query, Params>,
): Route {
  return route as Route;
}

/** Makes a route for anybody, with types for what it takes. */
export function defineOpenRoute<Body = unknown, Query = unknown, Params = unknown>(
  route: OpenRoute<Body, Query, Params>,
): OpenRoute {
  return route as OpenRoute;
}
