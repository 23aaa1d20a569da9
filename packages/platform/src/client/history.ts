import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type {
  Invocation,
  InvocationLogs,
  InvocationPage,
  InvocationQuery,
  InvocationSearch,
  RunningInvocations,
} from "./wire-types.ts";

/** What was invoked. */
export interface HistoryClient {
  list(query?: InvocationQuery, signal?: AbortSignal): Promise<InvocationPage>;
  search(
    query: InvocationSearch,
    signal?: AbortSignal,
  ): Promise<{ readonly tool_invocations: readonly Invocation[] }>;
  /** Finds one invocation by its id. */
  get(id: string, signal?: AbortSignal): Promise<Invocation>;
  /** Returns what an invocation printed, also while it runs. */
  logs(id: string, signal?: AbortSignal): Promise<InvocationLogs>;
  /** Lists the invocations that run now, of these tools or of all. */
  running(
    query?: { readonly tool_id?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<RunningInvocations>;
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
    get: async (id, signal) =>
      requester.request("GET", await place.path("tool", "invocation", id), { signal }),
    logs: async (id, signal) =>
      requester.request("GET", await place.path("tool", "invocation", id, "logs"), { signal }),
    running: async (query, signal) =>
      requester.request("GET", await place.path("tool", "invocation", "running"), {
        query: query ?? {},
        signal,
      }),
  };
}
