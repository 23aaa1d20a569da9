/** A call of a published tool that is or was under way. */
export interface BookedCall {
  readonly tool_call_id: string;
  readonly tool: string;
  status: "in-progress" | "succeeded" | "failed";
  /** What the tool last told of itself. */
  latest_status_event?: unknown;
  readonly started_at: string;
  ended_at?: string;
  error?: string;
}

/** Remembers the calls of a session. */
export interface CallBook {
  begin(id: string, tool: string): { told(event: unknown): void; ended(error?: string): void };
  find(id: string): BookedCall | undefined;
  /** The latest last. */
  list(): readonly BookedCall[];
}

const mostBooked = 200;

/** A book with nothing in it. */
export function createCallBook(now: () => number = Date.now): CallBook {
  const calls = new Map<string, BookedCall>();
  const moment = (): string => new Date(now()).toISOString();
  return {
    begin: (id, tool) => {
      const call: BookedCall = {
        tool_call_id: id,
        tool,
        status: "in-progress",
        started_at: moment(),
      };
      calls.set(id, call);
      for (const [oldest, { status }] of calls) {
        if (calls.size <= mostBooked) break;
        if (status !== "in-progress") calls.delete(oldest);
      }
      return {
        told: (event) => {
          call.latest_status_event = event;
        },
        ended: (error) => {
          call.status = error === undefined ? "succeeded" : "failed";
          call.ended_at = moment();
          if (error !== undefined) call.error = error;
        },
      };
    },
    find: (id) => calls.get(id),
    list: () => [...calls.values()],
  };
}
