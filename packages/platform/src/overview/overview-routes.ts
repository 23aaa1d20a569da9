import { statfs } from "node:fs/promises";
import { type AnyRoute, defineRoute } from "../api/route.ts";
import { mayRead } from "../history/log-routes.ts";
import { openSearchIndex } from "../history/open-search-index.ts";
import type { SessionItems } from "../inbox/session-items.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { countGroups } from "./count-groups.ts";
import { countVolume } from "./count-volume.ts";
import { findSummaries } from "./find-summaries.ts";
import { listSummaries } from "./list-summaries.ts";
import { watchOrganization } from "./organization-events.ts";
import { selectInvocations } from "./overview-filter.ts";
import { createOverviewReader } from "./overview-reader.ts";
import {
  type StatisticsQuery,
  type SummaryQuery,
  statisticsQuery,
  statisticsReply,
  summaryPage,
  summaryQuery,
  type VolumeQuery,
  volumeQuery,
  volumeReply,
} from "./overview-schemas.ts";
import { readSystem, systemReply } from "./read-system.ts";

/** What the routes use. */
export interface OverviewServices extends Pick<PlatformParts, "store" | "now"> {
  /** The data directory, if this process has one. */
  readonly directory?: string | undefined;
  /** Calls of sessions on this machine that wait. Default: they are not counted. */
  readonly sessions?: SessionItems | undefined;
}

/** The API's routes that show many invocations at once, what happens now, and how the server does. */
export function overviewRoutes(parts: OverviewServices): readonly AnyRoute[] {
  const { store, now } = parts;
  const index = openSearchIndex(store.kind);
  const base = "/v1/:organization/tool/invocation";
  const needed = { permission: mayRead, about: "tools" } as const;
  return [
    defineRoute<unknown, SummaryQuery>({
      method: "GET",
      url: `${base}/summary`,
      operationId: "get-invocation-summaries",
      summary:
        "Lists invocations without inputs and outputs: those that began last first, with a query those that ended last. A page can be short although there are more: see the token.",
      ...needed,
      schema: { querystring: summaryQuery, response: { 200: summaryPage } },
      handle: async ({ principal, query, signal }) => {
        const reader = createOverviewReader(store, index, signal);
        const selection = await selectInvocations(store, principal, query);
        const { limit, continuation_token: continuationToken } = query;
        const { words } = selection;
        const page = { limit, continuationToken };
        const body =
          words === undefined
            ? await listSummaries(reader, selection, page)
            : await findSummaries(reader, selection, { ...page, words });
        return { status: 200, body };
      },
    }),
    defineRoute<unknown, VolumeQuery>({
      method: "GET",
      url: `${base}/volume`,
      operationId: "get-invocation-volume",
      summary: "Counts invocations over time, those that succeeded and those that failed.",
      ...needed,
      schema: { querystring: volumeQuery, response: { 200: volumeReply } },
      handle: async ({ principal, query, signal }) => {
        const selection = await selectInvocations(store, principal, query);
        const body = await countVolume(createOverviewReader(store, index, signal), selection, {
          now: now(),
          buckets: query.buckets,
        });
        return { status: 200, body };
      },
    }),
    defineRoute<unknown, StatisticsQuery>({
      method: "GET",
      url: `${base}/statistics`,
      operationId: "get-invocation-statistics",
      summary:
        "Counts invocations by tool, version or caller, with failures and durations. Ignores the query.",
      ...needed,
      schema: { querystring: statisticsQuery, response: { 200: statisticsReply } },
      handle: async ({ principal, query, signal }) => {
        const selection = await selectInvocations(store, principal, query);
        const reader = createOverviewReader(store, index, signal);
        return { status: 200, body: await countGroups(reader, selection, query.group_by) };
      },
    }),
    defineRoute({
      method: "GET",
      url: "/v1/:organization/events",
      operationId: "watch-organization",
      summary:
        "Streams what happens in the organization, from now on or after Last-Event-ID: ended invocations and changes of the inbox.",
      permission: null,
      about: "tools",
      schema: {
        response: {
          200: {
            type: "string",
            contentMediaType: "text/event-stream",
            description:
              "`invocation` with id, tool_id and succeeded, if the caller may read history; `inbox` with the number of waiting items, if the caller may read it.",
          },
        },
      },
      handle: async ({ principal, headers, signal }) => ({
        status: 200,
        events: watchOrganization(parts, { principal, signal, after: headers["last-event-id"] }),
      }),
    }),
    defineRoute({
      method: "GET",
      url: "/v1/:organization/system",
      operationId: "get-system",
      summary: "Shows how the server does: processes, work that waits or runs, and disk space.",
      permission: mayRead,
      schema: { response: { 200: systemReply } },
      handle: async ({ principal }) => ({
        status: 200,
        body: await readSystem(parts, principal, () =>
          parts.directory === undefined ? undefined : statfs(parts.directory),
        ),
      }),
    }),
  ];
}
