import { readDetail, toPlatformError, toUnreachable } from "./answer-problem.ts";
import { PlatformError } from "./platform-error.ts";
import { readEvents } from "./read-events.ts";

/** HTTP methods of the API. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Options of a request. */
export interface RequestOptions {
  /** Arrays become repeated parameters; undefined values are left out. */
  readonly query?: object;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Receives progress events: the event's name and its data. */
export type OnEvent = (event: string, data: unknown) => void;

/** Sends requests to one server with one key. */
export interface Requester {
  readonly server: string;
  /** Returns the response. Throws a `PlatformError` unless it succeeded. */
  send(method: Method, path: string, options?: RequestOptions): Promise<Response>;
  /** Returns the response's JSON; `undefined` if it is empty. */
  request<Result>(method: Method, path: string, options?: RequestOptions): Promise<Result>;
  /** The same with the response's headers, and with events until the result if `onEvent` is given. */
  follow<Result>(
    request: { readonly method: Method; readonly path: string } & RequestOptions,
    onEvent: OnEvent | undefined,
  ): Promise<{ readonly result: Result; readonly headers: Headers }>;
}

const eventStream = "text/event-stream";
const maxWaitSeconds = 30;

/** Creates a requester. `fetch` defaults to the global one. */
export function createRequester(
  url: string,
  apiKey: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Requester {
  const server = readServer(url);
  requireKey(apiKey);

  const send: Requester["send"] = async (method, path, options = {}) => {
    const target = `${server}${path}${toQueryString(options.query)}`;
    const headers: Record<string, string> = {
      accept: "application/json",
      ...options.headers,
      authorization: `Bearer ${apiKey}`,
    };
    const init: RequestInit = { method, headers };
    if (options.signal !== undefined) init.signal = options.signal;
    if (options.body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(options.body);
    }
    for (let isLast = method !== "GET"; ; isLast = true) {
      const response = await fetch(target, init).catch((error: unknown) => {
        throw toUnreachable(error, server);
      });
      if (response.ok) return response;
      const error = await toPlatformError(response, server);
      // Only requests that change nothing are retried.
      const wait = error.status === 429 && !isLast ? error.retryAfterSeconds : undefined;
      if (wait === undefined || wait > maxWaitSeconds) throw error;
      await pause(wait * 1000, options.signal);
    }
  };

  return {
    server,
    send,
    request: async <Result>(method: Method, path: string, options?: RequestOptions) =>
      readJson<Result>(await send(method, path, options), server),
    follow: async <Result>(
      { method, path, ...options }: { method: Method; path: string } & RequestOptions,
      onEvent: OnEvent | undefined,
    ) => {
      const accept = onEvent && { accept: `${eventStream}, application/json;q=0.5` };
      const headers = { ...options.headers, ...accept };
      const response = await send(method, path, { ...options, headers });
      const isStream = response.headers.get("content-type")?.startsWith(eventStream);
      const result =
        isStream && onEvent !== undefined && response.body !== null
          ? await untilResult<Result>(response.body, server, onEvent)
          : await readJson<Result>(response, server);
      return { result, headers: response.headers };
    },
  };
}

async function readJson<Result>(response: Response, server: string): Promise<Result> {
  const text = await response.text().catch((error: unknown) => {
    throw toUnreachable(error, server);
  });
  if (text === "") return undefined as Result;
  try {
    return JSON.parse(text) as Result;
  } catch {
    throw new PlatformError(
      response.status,
      `${server} did not answer with JSON. Check that it is the address of a Haft platform.`,
    );
  }
}

async function untilResult<Result>(
  body: ReadableStream<Uint8Array>,
  server: string,
  onEvent: OnEvent,
): Promise<Result> {
  try {
    for await (const { event, data } of readEvents(body)) {
      if (event === "result") return JSON.parse(data) as Result;
      if (event === "error") throw toStreamError(data);
      onEvent(event, JSON.parse(data));
    }
  } catch (error) {
    throw PlatformError.isInstance(error) ? error : toUnreachable(error, server);
  }
  throw new PlatformError(
    0,
    `The connection to ${server} ended before the result came. The operation may still be running there.`,
  );
}

function toStreamError(data: string): PlatformError {
  const { detail, fields } = readDetail(data);
  const { status } = JSON.parse(data) as { readonly status?: unknown };
  return new PlatformError(
    typeof status === "number" ? status : 500,
    detail ?? "The server failed.",
    { fields },
  );
}

function readServer(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/u.test(parsed.protocol)) {
    throw new PlatformError(
      0,
      `${JSON.stringify(url)} is not the address of a platform. Write one such as http://127.0.0.1:7423`,
    );
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new PlatformError(0, "The platform's address contains a user or password. Leave it out.");
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/u, "")}`;
}

function requireKey(apiKey: string): void {
  if (/^[\x21-\x7e]+$/u.test(apiKey)) return;
  throw new PlatformError(0, "The API key is empty or has invalid characters.");
}

function toQueryString(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) search.append(name, String(each));
    }
  }
  return search.size === 0 ? "" : `?${search}`;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
