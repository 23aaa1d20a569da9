import type { OrganizationPath } from "./organization-path.ts";
import type { OnEvent, Requester } from "./requester.ts";
import type {
  Invocation,
  InvocationLogs,
  InvocationPage,
  InvocationQuery,
  InvocationSearch,
  Retention,
  RetentionLimits,
  Retry,
  RetryRequest,
  RetryResults,
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
  /** Returns how long the invocations of a tool are kept. Default: of all tools without own limits. */
  retention(toolId?: string): Promise<Retention>;
  /** Limits how long invocations are kept. What is beyond the limits is deleted for good. */
  setRetention(limits: RetentionLimits, toolId?: string): Promise<Retention>;
  clearRetention(toolId?: string): Promise<Retention>;
  /** Repeats invocations as new ones that refer to them. */
  retry(request: RetryRequest, options?: RetryOptions): Promise<RetryResults>;
}

/** Options of a retry. */
export interface RetryOptions {
  /** Is told what became of each invocation, and how many there are in all. */
  onRetry?(retry: Retry & { readonly total: number }): void;
  /** No more invocations are started once it aborts. */
  readonly signal?: AbortSignal;
}

const everywhere = [
  "invocation_status.output",
  "invocation_status.exception_message",
  "invocation_status.exception_type",
  "invocation_status.exception_stack_trace",
  "logs",
];

/** Makes the part of the client that is about history. */
export function createHistoryClient(requester: Requester, place: OrganizationPath): HistoryClient {
  const retentionPath = (toolId: string | undefined): Promise<string> =>
    place.path("tool", ...(toolId === undefined ? [] : [toolId]), "retention");
  return {
    retention: async (toolId) => requester.request("GET", await retentionPath(toolId)),
    setRetention: async (body, toolId) =>
      requester.request("PUT", await retentionPath(toolId), { body }),
    clearRetention: async (toolId) => requester.request("DELETE", await retentionPath(toolId)),
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
    retry: async (body, { onRetry, signal } = {}) => {
      const path = await place.path("tool", "invocation", "retry");
      const onEvent: OnEvent | undefined =
        onRetry &&
        ((_event, data) => onRetry((data as { event: Parameters<typeof onRetry>[0] }).event));
      const request = { method: "POST", path, body, signal } as const;
      return (await requester.follow<RetryResults>(request, onEvent)).result;
    },
    running: async (query, signal) =>
      requester.request("GET", await place.path("tool", "invocation", "running"), {
        query: query ?? {},
        signal,
      }),
  };
}
