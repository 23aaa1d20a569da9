import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type {
  Invocation,
  InvocationPage,
  InvocationQuery,
  InvocationSearch,
} from "./wire-types.ts";

/** What was invoked. */
export interface HistoryClient {
  list(query?: InvocationQuery, signal?: AbortSignal): Promise<InvocationPage>;
  search(
    query: InvocationSearch,
    signal?: AbortSignal,
  ): Promise<{ readonly tool_invocations: readonly Invocation[] }>;
}

const everywhere = [
  "invocation_status.output",
  "invocation_status.exception_message",
  "invocation_status.exception_type",
  "invocation_status.exception_stack_trace",
];

/** Makes the part of the client that is about history. */
export function createHistoryClient(requester: Requester, place: OrganizationPath): HistoryClient {
  return {
    list: async (query, signal) =>
      requester.request("GET", await place.path("tool", "invocation"), {
        query: query ?? {},
        signal,
      }),
    search: async (query, signal) =>
      requester.request("GET", await place.path("tool", "invocation", "search"), {
        query: { query_against: everywhere, ...query },
        signal,
      }),
  };
}
