import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startTcpServer, startWebServer } from "../test-support/local-server.ts";
import { openNet } from "../test-support/open-net.ts";

describe("fetch", () => {
  it("gives status, headers and body as they came", async () => {
    const { origin, port } = await startWebServer((_, response) => {
      response.writeHead(404, { "X-Two": ["a", "b"], "Set-Cookie": "session=1" });
      response.end("not here");
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    const answer = await net.fetch({ url: `${origin}/page?x=1` });
    expect(answer).toMatchObject({ url: `${origin}/page?x=1`, status: 404, truncated: false });
    expect(answer.headers["x-two"]).toBe("a, b");
    expect(answer.headers).not.toHaveProperty("set-cookie");
    expect(answer.body.constructor).toBe(Uint8Array);
    expect(new TextDecoder().decode(answer.body)).toBe("not here");
  });

  it("sends method, headers and body, and the host", async () => {
    const { origin, port } = await startWebServer(async (request, response) => {
      response.end(JSON.stringify({ body: await text(request), headers: request.headers }));
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    const answer = await net.fetch({
      url: origin,
      method: "post",
      headers: { "X-Api-Key": "k", "Content-Type": "text/plain" },
      body: "héllo",
    });
    expect(JSON.parse(new TextDecoder().decode(answer.body))).toEqual({
      body: "héllo",
      headers: {
        "user-agent": "Haft",
        accept: "*/*",
        "accept-encoding": "gzip, deflate, br, zstd",
        "x-api-key": "k",
        "content-type": "text/plain",
        "content-length": "6",
        host: `127.0.0.1:${port}`,
        connection: "close",
      },
    });
  });

  it.each([
    [{ Host: "evil.example" }],
    [{ Connection: "keep-alive" }],
    [{ "Transfer-Encoding": "chunked" }],
    [{ "Content-Length": "5" }],
    [{ "Proxy-Authorization": "x" }],
    [{ "X-Bad": "a\r\nX-More: b" }],
    [{ "X Bad": "a" }],
    [{ "X-Wide": "\u{1f600}" }],
  ])("refuses the headers %j", async (headers) => {
    const { origin, port, requests } = await startWebServer((_, response) => response.end());
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    await expect(net.fetch({ url: origin, headers })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
    expect(requests).toEqual([]);
  });

  it("refuses methods that are not requests for a page", async () => {
    for (const method of ["CONNECT", "TRACE", "GET /x", ""]) {
      await expect(openNet().fetch({ url: "http://example.com", method })).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    }
  });

  it("uses no proxy of the environment", async () => {
    const { origin, port, requests } = await startWebServer((_, response) => response.end("ok"));
    const proxy = await startWebServer((_, response) => response.end("proxy"));
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, proxy.origin);
    onTestFinished(() => void vi.unstubAllEnvs());
    await openNet({ allow: [`127.0.0.1:${port}`] }).fetch({ url: origin });
    expect(requests).toEqual(["GET /"]);
    expect(proxy.requests).toEqual([]);
  });

  it("does not upgrade http", async () => {
    const { requests, port } = await startTcpServer((socket) =>
      socket.end("HTTP/1.1 204 x\r\n\r\n"),
    );
    const net = openNet({ allow: ["localhost"] });
    const { status, url } = await net.fetch({ url: `http://localhost:${port}` });
    expect({ status, url }).toEqual({ status: 204, url: `http://localhost:${port}/` });
    expect(requests).toHaveLength(1);
  });
});

describe("what can't be sent", () => {
  it("is a body where none belongs", async () => {
    for (const method of ["GET", "HEAD"]) {
      const end = openNet().fetch({ url: "http://example.com", method, body: "x" });
      await expect(end).rejects.toMatchObject({ code: "invalid-arguments" });
    }
  });
});

describe("what can't be reached is explained", () => {
  it("an unknown name", async () => {
    const resolve = async (): Promise<string[]> => {
      throw Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
    };
    await expect(
      openNet({ resolve }).fetch({ url: "http://nowhere.test/a" }),
    ).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(
        "http://nowhere.test/a can't be reached: the name does not exist",
      ),
    });
  });

  it("a closed port", async () => {
    const { port } = await startTcpServer(() => {});
    const closed = await closedPort(port);
    const net = openNet({ allow: ["127.0.0.1"] });
    await expect(net.fetch({ url: `http://127.0.0.1:${closed}/` })).rejects.toMatchObject({
      code: "unavailable",
      message: `http://127.0.0.1:${closed}/ can't be reached: nothing accepts connections there.`,
    });
  });

  it.each<[string, string, RegExp]>([
    ["an answer that is not HTTP", "SSH-2.0-x\r\n", /its response is not HTTP/u],
    ["no answer at all", "", /closed the connection/u],
    [
      "half an answer",
      "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf",
      /closed the connection/u,
    ],
    ["an unasked change", "HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", /failed/u],
    [
      "headers without end",
      `HTTP/1.1 200 OK\r\n${"X-A: 0123456789\r\n".repeat(5_000)}`,
      /headers of its response are too large/u,
    ],
    [
      "a compression that is none",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
      /not compressed as it says/u,
    ],
  ])("%s", async (_, text, message) => {
    const { port } = await startTcpServer((socket) => socket.end(text));
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    await expect(net.fetch({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(message),
    });
  });

  it("a server that does not speak TLS", async () => {
    const { port } = await startTcpServer((socket) => socket.end("HTTP/1.1 400 Bad\r\n\r\n"));
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    await expect(net.fetch({ url: `https://127.0.0.1:${port}/` })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("TLS could not be negotiated"),
    });
  });

  it.each(["compress", "constructor"])("a compression called %s", async (coding) => {
    const { origin, port } = await startWebServer((_, response) => {
      response.writeHead(200, { "Content-Encoding": coding }).end("x");
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    await expect(net.fetch({ url: origin })).rejects.toMatchObject({ code: "failed" });
  });
});

describe("a proxy that others use", () => {
  it("is named where that may be why a host can't be reached", async () => {
    vi.stubEnv("HTTPS_PROXY", "http://proxy.example:3128");
    onTestFinished(() => void vi.unstubAllEnvs());
    const resolve = async (): Promise<string[]> => {
      throw Object.assign(new Error("no"), { code: "EAI_AGAIN" });
    };
    await expect(openNet({ resolve }).fetch({ url: "http://far.test/" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/configured to use a proxy; tools ignore it/u),
    });
  });
});

describe("time", () => {
  it("is counted as a whole: a body that drips forever ends in timeout", async () => {
    const { origin, port } = await startWebServer((_, response) => {
      const drip = setInterval(() => response.write("."), 10);
      response.once("close", () => clearInterval(drip));
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    await expect(net.fetch({ url: origin, timeoutMs: 200 })).rejects.toMatchObject({
      code: "timeout",
      message: expect.stringContaining("200 ms"),
    });
  });

  it.each<[string, (port: number) => string]>([
    ["a server that says nothing", (port) => `http://127.0.0.1:${port}/`],
    ["a server that never begins TLS", (port) => `https://127.0.0.1:${port}/`],
  ])("ends %s", async (_, urlOf) => {
    const { port } = await startTcpServer(() => {});
    const net = openNet({ allow: ["127.0.0.1"] });
    await expect(net.fetch({ url: urlOf(port), timeoutMs: 100 })).rejects.toMatchObject({
      code: "timeout",
    });
  });

  it("ends headers that drip, redirects that go round slowly, and a resolver that is stuck", async () => {
    const dripping = await startTcpServer((socket) => {
      const drip = setInterval(() => socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 10);
      socket.once("close", () => clearInterval(drip));
    });
    const turning = await startWebServer((_, response) => {
      setTimeout(() => response.writeHead(302, { Location: "/again" }).end(), 40);
    });
    const net = openNet({ allow: ["127.0.0.1"], resolve: () => new Promise(() => {}) });
    const ends = [dripping.origin, turning.origin, "http://stuck.test/"].map((url) =>
      net.fetch({ url, timeoutMs: 150 }),
    );
    for (const end of ends) await expect(end).rejects.toMatchObject({ code: "timeout" });
  });

  it("ends with the call", async () => {
    const controller = new AbortController();
    const { origin, port } = await startWebServer((_, response) => {
      response.write("begin");
      controller.abort();
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`], signal: controller.signal });
    await expect(net.fetch({ url: origin })).rejects.toMatchObject({ code: "cancelled" });
    await expect(net.fetch({ url: origin })).rejects.toMatchObject({ code: "cancelled" });
  });

  it("releases the server's connection when it is over", async () => {
    let closed: Promise<void> = Promise.resolve();
    const { origin, port } = await startWebServer((request, response) => {
      closed = new Promise((resolve) => request.socket.once("close", () => resolve()));
      response.write("begin");
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    await expect(net.fetch({ url: origin, timeoutMs: 100 })).rejects.toMatchObject({
      code: "timeout",
    });
    await closed;
  });
});

/** A port near this one that nothing listens on. */
async function closedPort(near: number): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port === near ? closedPort(near) : port;
}
