/** A running or finished call of a published tool. */
export interface LoggedCall {
  readonly tool_call_id: string;
  readonly tool: string;
  status: "in-progress" | "succeeded" | "failed";
  /** The last status event that the tool sent. */
  latest_status_event?: unknown;
  readonly started_at: string;
  ended_at?: string;
  error?: string;
}

/** The calls of published tools in a session, for `get_tool_call_status`. */
export interface CallLog {
  start(id: string, tool: string): { report(event: unknown): void; end(error?: string): void };
  find(id: string): LoggedCall | undefined;
  /** All calls, the latest last. */
  list(): readonly LoggedCall[];
}

const maxCalls = 200;

/** Creates an empty call log. It keeps the latest 200 calls and every call in progress. */
export function createCallLog(now: () => number = Date.now): CallLog {
  const calls = new Map<string, LoggedCall>();
  const timestamp = (): string => new Date(now()).toISOString();
  return {
    start: (id, tool) => {
      const call: LoggedCall = {
        tool_call_id: id,
        tool,
        status: "in-progress",
        started_at: timestamp(),
      };
      calls.set(id, call);
      for (const [oldest, { status }] of calls) {
        if (calls.size <= maxCalls) break;
        if (status !== "in-progress") calls.delete(oldest);
      }
      return {
        report: (event) => {
          call.latest_status_event = event;
        },
        end: (error) => {
          call.status = error === undefined ? "succeeded" : "failed";
          call.ended_at = timestamp();
          if (error !== undefined) call.error = error;
        },
      };
    },
    find: (id) => calls.get(id),
    list: () => [...calls.values()],
  };
}
