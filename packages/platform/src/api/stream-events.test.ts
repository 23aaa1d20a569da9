import { once } from "node:events";
import { Problem } from "../problem.ts";
import type { ServerSentEvent } from "./route.ts";
import { type ListeningServer, openApiServer } from "./test-support/open-api-server.ts";
import { eventsRoute } from "./test-support/sample-routes.ts";

type Open = Parameters<typeof eventsRoute>[0];

describe("server-sent events", () => {
  let api: ListeningServer;
  afterEach(() => api.close());

  const get = async (open: Open, signal?: AbortSignal): Promise<Response> => {
    api = await openApiServer({ routes: [eventsRoute(open)] });
    return fetch(`${api.url}/v1/${api.organization}/events`, {
      headers: { authorization: `Bearer ${api.token}` },
      ...(signal === undefined ? {} : { signal }),
    });
  };

  it("go out one by one and end with the iterator", async () => {
    const second = Promise.withResolvers<void>();
    const response = await get(async function* () {
      yield { event: "step", data: { text: "line\nbreak" } };
      await second.promise;
      yield { event: "done\ndata: forged", data: null };
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("x-ratelimit-limit")).toBe("6000");
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(await readText(reader)).toBe('event: step\ndata: {"text":"line\\nbreak"}\n\n');
    second.resolve();
    expect(await readText(reader)).toBe("event: done data: forged\ndata: null\n\n");
    expect((await reader.read()).done).toBe(true);
  });

  it("report an error that comes in the middle", async () => {
    const response = await get(async function* () {
      yield { event: "step", data: 1 };
      throw new Problem(409, "Something else is going on.");
    });
    expect(await response.text()).toBe(
      'event: step\ndata: 1\n\nevent: error\ndata: {"status":409,"detail":"Something else is going on."}\n\n',
    );
  });

  it("hide a fault", async () => {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to give.
    const response = await get(async function* (): AsyncGenerator<ServerSentEvent> {
      throw new Error("secret detail");
    });
    const text = await response.text();
    expect(text).toContain('event: error\ndata: {"status":500,');
    expect(text).not.toContain("secret detail");
  });

  it("end the iterator and fire the signal when the caller goes away", async () => {
    const returned = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const controller = new AbortController();
    const response = await get((signal) => {
      signal.addEventListener("abort", () => aborted.resolve());
      const events = {
        next: async () => {
          await once(signal, "abort").catch(() => {});
          return { done: false as const, value: { event: "late", data: 1 } };
        },
        return: async () => {
          returned.resolve();
          return { done: true as const, value: undefined };
        },
        [Symbol.asyncIterator]: () => events,
      };
      return events;
    }, controller.signal);
    expect(response.status).toBe(200);
    controller.abort();
    await Promise.all([returned.promise, aborted.promise]);
  });
});

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return Buffer.from(value as Uint8Array).toString();
}
