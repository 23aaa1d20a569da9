import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text as readText } from "node:stream/consumers";
import { constants, createGzip, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startTcpServer, startWebServer } from "../test-support/local-server.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

const guarded = createGuardedFetch({ allowedHosts: ["127.0.0.1"] });

describe("createGuardedFetch", () => {
  it("sends the method, headers and body, and returns the response", async () => {
    const { origin } = await startWebServer(async (request, response) => {
      const body = await readText(request);
      response.writeHead(201, "Made", { "x-one": "1", "set-cookie": ["a=1", "b=2"] });
      response.end(`${request.method} ${request.url} ${request.headers["x-key"]} ${body}`);
    });
    const answer = await guarded(`${origin}/path?q=1`, {
      method: "POST",
      headers: { "X-Key": "k", host: "elsewhere", "content-length": "3" },
      body: JSON.stringify({ a: 1 }),
    });
    expect(await answer.text()).toBe('POST /path?q=1 k {"a":1}');
    expect([answer.status, answer.statusText, answer.ok]).toEqual([201, "Made", true]);
    expect([answer.url, answer.redirected]).toEqual([`${origin}/path?q=1`, false]);
    expect(answer.headers.get("x-one")).toBe("1");
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("takes a request, a form and a stream like any fetch", async () => {
    const { origin } = await startWebServer(async (request, response) =>
      response.end(`${request.headers["content-type"]} ${await readText(request)}`),
    );
    const form = new Request(origin, { method: "PUT", body: new URLSearchParams({ a: "b c" }) });
    expect(await (await guarded(form)).text()).toBe(
      "application/x-www-form-urlencoded;charset=UTF-8 a=b+c",
    );
    const body = new Blob(["streamed"]).stream();
    const streaming = { method: "POST", body, duplex: "half" } as RequestInit;
    expect(await (await guarded(new URL(origin), streaming)).text()).toBe("undefined streamed");
  });

  it.each([false, true])("hands over events as they come, compressed: %s", async (isCompressed) => {
    const opened = Promise.withResolvers<NodeJS.WritableStream & { flush?(): void }>();
    const { origin } = await startWebServer((_, response) => {
      response.writeHead(200, {
        "content-type": "text/event-stream",
        ...(isCompressed && { "content-encoding": "gzip" }),
      });
      response.flushHeaders();
      if (!isCompressed) return opened.resolve(response);
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      opened.resolve(gzip);
    });
    const answer = await guarded(origin);
    const stream = await opened.promise;
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
      stream.write(event);
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(event);
    }
    stream.end();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it("decompresses bodies", async () => {
    const { origin } = await startWebServer((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"a":[1]}')),
    );
    expect(await (await guarded(origin)).json()).toEqual({ a: [1] });
  });

  it.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("has no body for %s %i", async (method, status) => {
    const { origin } = await startWebServer((_, response) => response.writeHead(status).end());
    const answer = await guarded(origin, { method });
    expect([answer.status, answer.body]).toEqual([status, null]);
  });

  it("stops when its signal fires, before and in the middle of the body", async () => {
    const closed = Promise.withResolvers<void>();
    const { origin, requests } = await startWebServer((_, response) => {
      response.write("half");
      response.once("close", () => closed.resolve());
    });
    const reason = new Error("enough");
    const early = guarded(origin, { signal: AbortSignal.abort(reason) });
    await expect(early).rejects.toBe(reason);
    expect(requests).toEqual([]);
    const ending = new AbortController();
    const answer = await guarded(origin, { signal: ending.signal });
    const reading = answer.text();
    ending.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await closed.promise;
  });

  it("uses a connection again, and opens another where the server closed it", async () => {
    let connections = 0;
    const own = createGuardedFetch({ allowedHosts: ["127.0.0.1"] });
    const { origin } = await startWebServer((request, response) => {
      response.end(`${request.method} ${connections}`);
    });
    let first: Socket | undefined;
    const other = await startTcpServer((socket) => {
      const mine = ++connections;
      first ??= socket;
      socket.on("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${mine}`);
      });
    });
    const ask = async (): Promise<string> =>
      (await own(other.origin, { method: "POST", body: "x" })).text();
    expect([await ask(), await ask()]).toEqual(["1", "1"]);
    // Without a word, as servers do. The client notices it a moment later.
    first?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([await ask(), await ask()]).toEqual(["2", "2"]);
    expect(await (await own(origin)).text()).toBe("GET 2");
  });

  it("tries once more when a reused connection breaks, but never a POST", async () => {
    let asked = 0;
    const own = createGuardedFetch({ allowedHosts: ["127.0.0.1"] });
    const { origin } = await startTcpServer((socket) => {
      socket.on("data", () => {
        if (++asked === 2) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      });
    });
    for (let times = 0; times < 2; times++) expect(await (await own(origin)).text()).toBe("ok");
    expect(asked).toBe(3);
    asked = 1;
    const post = own(origin, { method: "POST", body: "x" });
    await expect(post).rejects.toThrow("closed the connection");
    expect(asked).toBe(2);
  });

  it("stops waiting for a silent server", async () => {
    const { origin } = await startTcpServer(() => {});
    const ending = new AbortController();
    const asking = guarded(origin, { signal: ending.signal });
    setTimeout(() => ending.abort(), 50);
    await expect(asking).rejects.toMatchObject({ name: "AbortError" });
  });

  it("closes the connection when its body is cancelled", async () => {
    const closed = Promise.withResolvers<void>();
    const { origin } = await startWebServer((_, response) => {
      response.write("x");
      response.once("close", () => closed.resolve());
    });
    await (await guarded(origin)).body?.cancel();
    await closed.promise;
  });

  it("reads no faster than its caller", async () => {
    const answered = Promise.withResolvers<ServerResponse>();
    const { origin } = await startWebServer((_, response) => answered.resolve(response));
    const asking = guarded(origin);
    const response = await answered.promise;
    response.flushHeaders();
    const { body } = await asking;
    const chunk = Buffer.alloc(1024 * 1024);
    let written = 0;
    while (response.write(chunk) && written < 100) written++;
    for (; written < 40; written++) response.write(chunk);
    // All that fits into the sockets' own buffers is far less.
    const drained = once(response, "drain").then(() => "drained");
    const waited = new Promise((resolve) => setTimeout(resolve, 100, "waits"));
    expect(await Promise.race([drained, waited])).toBe("waits");
    await body?.cancel();
  });

  it.each([
    "http://127.0.0.1:1/",
    "http://localhost:1/",
    "http://[::1]:1/",
    "http://169.254.169.254/latest",
    "http://10.0.0.1/",
    "http://printer.local/",
  ])("refuses %s, which is not an allowed host", async (url) => {
    await expect(createGuardedFetch({ allowedHosts: [] })(url)).rejects.toMatchObject({
      name: "TypeError",
      cause: { code: "out-of-scope" },
    });
  });

  it("refuses a name that leads to a private address, whatever it led to before", async () => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    const rebinding = createGuardedFetch({
      allowedHosts: ["127.0.0.1"],
      resolve: async () => ["127.0.0.1"],
    });
    await expect(rebinding(`http://evil.example:${port}/`)).rejects.toMatchObject({
      cause: { code: "out-of-scope" },
    });
    expect(requests).toEqual([]);
    const named = createGuardedFetch({
      allowedHosts: [`evil.example:${port}`],
      resolve: async () => ["127.0.0.1"],
    });
    expect(await (await named(`http://evil.example:${port}/`)).text()).toBe("secret");
  });

  it.each(["ftp://example.com", "data:text/plain,x", "file:///etc/passwd"])(
    "refuses %s, which is not http or https",
    async (url) => {
      await expect(guarded(url)).rejects.toThrow(TypeError);
    },
  );

  it("names the URL that can't be reached", async () => {
    await expect(guarded("http://127.0.0.1:1/x")).rejects.toMatchObject({
      name: "TypeError",
      message: "http://127.0.0.1:1/x can't be reached: nothing accepts connections there.",
      cause: { code: "unavailable" },
    });
  });
});

describe("redirects of a guarded fetch", () => {
  it("are followed for GET, without credentials on another origin", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const far = await startWebServer((request, response) => {
      seen.push(request.headers);
      response.end("there");
    });
    const { origin } = await startWebServer((request, response) => {
      seen.push(request.headers);
      const next = request.url === "/" ? "/same" : `${far.origin}/far`;
      response.writeHead(302, { location: next }).end("on");
    });
    const headers = { authorization: "Bearer s3cret", accept: "text/plain" };
    const answer = await guarded(origin, { headers });
    expect([await answer.text(), answer.url, answer.redirected]).toEqual([
      "there",
      `${far.origin}/far`,
      true,
    ]);
    expect(seen.map(({ authorization }) => authorization)).toEqual([
      "Bearer s3cret",
      "Bearer s3cret",
      undefined,
    ]);
    expect(seen[2]?.accept).toBe("text/plain");
  });

  it("are judged like the first request", async () => {
    const { port, requests } = await startWebServer((_, response) =>
      response.writeHead(302, { location: "http://127.0.0.2:1/" }).end(),
    );
    const narrow = createGuardedFetch({ allowedHosts: [`127.0.0.1:${port}`] });
    await expect(narrow(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      cause: { code: "out-of-scope" },
    });
    expect(requests).toHaveLength(1);
  });

  it("are returned in manual mode, refused in error mode, and not followed for POST", async () => {
    const { origin, requests } = await startWebServer((_, response) =>
      response.writeHead(307, { location: "/there" }).end("on"),
    );
    const answer = await guarded(origin, { redirect: "manual", method: "POST", body: "x" });
    expect([answer.status, answer.headers.get("location"), await answer.text()]).toEqual([
      307,
      "/there",
      "on",
    ]);
    await expect(guarded(origin, { redirect: "error" })).rejects.toThrow(TypeError);
    await expect(guarded(origin, { method: "POST", body: "x" })).rejects.toThrow(
      `redirects POST to ${origin}/there`,
    );
    expect(requests).toEqual(["POST /", "GET /", "POST /"]);
  });

  it("come to an end", async () => {
    const { origin, requests } = await startWebServer((_, response) =>
      response.writeHead(302, { location: "/" }).end(),
    );
    await expect(guarded(origin)).rejects.toThrow("redirects too often");
    expect(requests).toHaveLength(21);
  });
});
