import type { FastifyInstance } from "fastify";
import type { AnyRoute } from "../route.ts";

/** A server with callers of each sort, for checks that every route has to pass. */
export interface RouteWorld {
  readonly routes: readonly AnyRoute[];
  readonly server: FastifyInstance;
  readonly organization: string;
  readonly maxBodyBytes: number;
  /** Credentials as bearer tokens. */
  readonly tokens: {
    /** May do everything. */
    readonly administrator: string;
    /** Of the same organization, with a role that allows nothing. */
    readonly powerless: string;
    /** Of another organization, where it may do everything. */
    readonly stranger: string;
  };
  close(): Promise<void>;
}

/** What is sent to a route: its own path, unless something else is said. */
export interface Attempt {
  readonly token?: string | undefined;
  readonly organization?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: string;
}

export interface Outcome {
  readonly status: number;
  readonly detail: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

const anyId = "0123456789abcdef01234567";

/** Sends a request to a route. */
export async function attempt(
  { server, organization }: RouteWorld,
  route: AnyRoute,
  { token, params = {}, query = "", body, ...rest }: Attempt,
): Promise<Outcome> {
  const all: Readonly<Record<string, string>> = {
    organization: rest.organization ?? organization,
    ...params,
  };
  const path = route.url
    .replaceAll(/:(\w+)/gu, (_match, name: string) => encodeURIComponent(all[name] ?? anyId))
    .replace("*", "info/refs");
  const response = await server.inject({
    method: "methods" in route ? (route.methods[0] ?? "GET") : route.method,
    url: query === "" ? path : `${path}?${query}`,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return {
    status: response.statusCode,
    detail: toDetail(response.body),
    headers: response.headers,
  };
}

function toDetail(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly detail?: unknown }).detail;
  } catch {
    return undefined;
  }
}
