import type { OrganizationPath } from "./organization-path.ts";
import { PlatformError } from "./platform-error.ts";
import { readEvents } from "./read-events.ts";
import type { Requester } from "./requester.ts";
import type { AcceptedInvocations, AsyncInvocation, InvocationInput } from "./wire-types.ts";

/** An event of an asynchronous invocation. */
export interface InvocationEvent {
  /** Its number, to continue after it. */
  readonly id: number;
  /** `state`, or `status` of the tool. */
  readonly event: string;
  readonly data: unknown;
}

/** How to follow an invocation. */
export interface FollowOptions {
  /** The last event that was received. Default: 0, for all events. */
  readonly after?: number;
  onEvent?(event: InvocationEvent): void;
  readonly signal?: AbortSignal;
}

/** How to start invocations. */
export interface StartOptions {
  readonly idempotencyKey?: string;
  /** ID of a webhook that is told of the end. */
  readonly webhook?: string;
  readonly signal?: AbortSignal;
}

/** Asynchronous invocations: they outlive the connection, and can wait. */
export interface InvocationsClient {
  /** Starts an invocation for each input. They run even if the server restarts. */
  start(
    target: { readonly toolId: string; readonly version: string },
    inputs: readonly InvocationInput[],
    options?: StartOptions,
  ): Promise<AcceptedInvocations>;
  /** Returns how far one is. */
  status(id: string, signal?: AbortSignal): Promise<AsyncInvocation>;
  /** Waits until one has ended, and reports its events. Connects again if the connection breaks. */
  wait(id: string, options?: FollowOptions): Promise<AsyncInvocation>;
  /** Cancels one that has not ended. */
  cancel(id: string): Promise<AsyncInvocation>;
}

const maxFailures = 10;
const pauseMs = 1_000;

/** Makes the part of the client that is about asynchronous invocations. */
export function createInvocationsClient(
  requester: Requester,
  place: OrganizationPath,
): InvocationsClient {
  const pathOf = (id: string, what: string): Promise<string> =>
    place.path("tool", "invocation", id, what);
  const status: InvocationsClient["status"] = async (id, signal) =>
    requester.request("GET", await pathOf(id, "status"), { signal });

  /** Reads events until the stream ends. Returns whether the last was the result. */
  const readSome = async (
    id: string,
    after: number,
    { onEvent, signal }: FollowOptions & { onEvent(event: InvocationEvent): void },
  ): Promise<boolean> => {
    const headers = { accept: "text/event-stream", "last-event-id": String(after) };
    const path = await pathOf(id, "events");
    const response = await requester.send("GET", path, { headers, signal });
    if (response.body === null) return false;
    for await (const { event, data, id: number } of readEvents(response.body)) {
      if (event === "result") return true;
      onEvent({ id: Number(number), event, data: JSON.parse(data) as unknown });
    }
    return false;
  };

  return {
    status,
    start: async ({ toolId, version }, inputs, { idempotencyKey, webhook, signal } = {}) =>
      requester.request("POST", await place.path("tool", toolId, "version", version, "invoke"), {
        body: { inputs, ...(webhook !== undefined && { webhook }) },
        headers: {
          prefer: "respond-async",
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        },
        signal,
      }),
    wait: async (id, { after = 0, onEvent, signal } = {}) => {
      let last = after;
      for (let failures = 0; ; ) {
        const before = last;
        try {
          const hasEnded = await readSome(id, last, {
            onEvent: (event) => {
              last = event.id;
              failures = 0;
              onEvent?.(event);
            },
            ...(signal !== undefined && { signal }),
          });
          const now = await status(id, signal);
          if (hasEnded || now.state === "ended") return now;
        } catch (error) {
          // The server may be restarting.
          const isBroken =
            !PlatformError.isInstance(error) || error.status === 0 || error.status === 503;
          failures += 1;
          if (!isBroken || failures > maxFailures || signal?.aborted) throw error;
        }
        if (last === before) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    cancel: async (id) => requester.request("POST", await pathOf(id, "cancel")),
  };
}
