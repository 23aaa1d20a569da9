import { type AnyRoute, defineRoute } from "../api/route.ts";
import { invocationParams } from "../history/invocation-schemas.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { asyncInvocation } from "./async-schemas.ts";
import type { AsyncInvocations } from "./open-async.ts";
import { readStatus, requireAsync } from "./status.ts";

interface Params {
  readonly invocation_id: string;
}

interface StatusQuery {
  readonly wait_seconds: number;
}

const statusQuery = {
  type: "object",
  properties: {
    wait_seconds: {
      type: "integer",
      minimum: 0,
      maximum: 30,
      default: 0,
      description: "How long the server may wait for the end before it answers.",
    },
  },
} as const;

interface EventsQuery {
  readonly after: number;
}

const eventsQuery = {
  type: "object",
  properties: {
    after: {
      type: "integer",
      minimum: 0,
      maximum: 2 ** 31 - 1,
      default: 0,
      description:
        "The ID of the last event that was received. The header Last-Event-ID overrides it.",
    },
  },
} as const;

const lookMs = 1_000;

/** The API's routes for asynchronous invocations: status, events and cancelling. */
export function asyncRoutes(
  parts: Pick<PlatformParts, "store" | "audit">,
  { events, cancel }: Pick<AsyncInvocations, "events" | "cancel">,
): readonly AnyRoute[] {
  const needed = { permission: "Tool:InvokeTool", about: "tools" } as const;
  const base = "/v1/:organization/tool/invocation/:invocation_id";
  return [
    defineRoute<unknown, StatusQuery, Params>({
      method: "GET",
      url: `${base}/status`,
      operationId: "get-async-invocation",
      summary: "Shows how far an asynchronous invocation is, and its result once it has ended.",
      ...needed,
      schema: {
        params: invocationParams,
        querystring: statusQuery,
        response: { 200: asyncInvocation },
      },
      handle: async ({ principal, params, query, signal }) => {
        const id = params.invocation_id;
        const endsAt = performance.now() + query.wait_seconds * 1_000;
        for (;;) {
          const row = await requireAsync(parts, principal, id);
          const leftMs = endsAt - performance.now();
          if (row.state === "ended" || leftMs <= 0 || signal.aborted || events.isClosed) {
            return { status: 200, body: await readStatus(parts, row) };
          }
          await events.untilChange(id, Math.min(leftMs, lookMs));
        }
      },
    }),
    defineRoute<unknown, EventsQuery, Params>({
      method: "GET",
      url: `${base}/events`,
      operationId: "watch-async-invocation",
      summary:
        "Streams the events of an asynchronous invocation, from the first or after Last-Event-ID, until its result.",
      ...needed,
      schema: {
        params: invocationParams,
        querystring: eventsQuery,
        response: {
          200: {
            type: "string",
            contentMediaType: "text/event-stream",
            description: "`state` and `status` events, then `result`. Each has an ID.",
          },
        },
      },
      handle: async ({ principal, params, query, headers }) => {
        const row = await requireAsync(parts, principal, params.invocation_id);
        const last = Number(headers["last-event-id"] ?? query.after);
        const after = Number.isSafeInteger(last) && last >= 0 ? Math.min(last, 2 ** 31 - 1) : 0;
        return { status: 200, events: events.follow(row.id, after) };
      },
    }),
    defineRoute<unknown, unknown, Params>({
      method: "POST",
      url: `${base}/cancel`,
      operationId: "cancel-async-invocation",
      summary: "Cancels an asynchronous invocation. One that has ended stays as it is.",
      ...needed,
      schema: { params: invocationParams, response: { 200: asyncInvocation } },
      handle: async ({ principal, params }) => {
        const row = await requireAsync(parts, principal, params.invocation_id);
        if (row.state !== "ended") {
          await cancel(row);
          await parts.audit.recordAlone(principal, { action: "invocation.cancel", target: row.id });
        }
        const now = await requireAsync(parts, principal, row.id);
        return { status: 200, body: await readStatus(parts, now) };
      },
    }),
  ];
}
