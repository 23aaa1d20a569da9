import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type ListeningServer, openApiServer } from "./test-support/open-api-server.ts";
import { administrator, organization } from "./test-support/sample-authenticator.ts";

const authorization = `Bearer ${administrator.token}`;
const tools = `/v1/${organization}/tool/`;

describe("the API server on a connection", () => {
  let api: ListeningServer;
  beforeAll(async () => {
    api = await openApiServer();
  });
  afterAll(() => api.close());

  const headers = { authorization, "content-type": "application/json" };
  const large = `{"tool_name":"${"x".repeat(4 * 1024 * 1024)}"}`;

  it("answers 413 to a body that is too large, also to those who do not say how large it is", async () => {
    const known = await fetch(`${api.url}${tools}`, { method: "POST", headers, body: large });
    expect(known.status).toBe(413);
    expect(await known.json()).toEqual({ detail: "The body is too large. Send less at a time." });
    const chunked = await fetch(`${api.url}${tools}`, {
      method: "POST",
      headers,
      body: inPieces(large),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  it("answers unauthenticated clients before they send a body", async () => {
    const socket = connect(api.port, "127.0.0.1");
    // The body never comes.
    socket.write(
      `POST ${tools} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`,
    );
    const [head] = (
      await new Promise<string>((resolve) => {
        socket.once("data", (chunk) => resolve(String(chunk)));
      })
    ).split("\r\n");
    expect(head).toBe("HTTP/1.1 401 Unauthorized");
    socket.destroy();
  });

  it("hands the bare request to a route that wants it, with any body", async () => {
    const url = `${api.url}/v1/${organization}/tool/git/git-upload-pack`;
    const basic = `Basic ${Buffer.from(`who:${administrator.token}`).toString("base64")}`;
    for (const type of [
      "application/x-git-upload-pack-request",
      "application/json",
      "text/plain",
    ]) {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: basic, "content-type": type },
        body: "{ 0032want",
      });
      expect(await response.json()).toMatchObject({ rest: "git-upload-pack", body: "{ 0032want" });
      expect(response.headers.get("x-ratelimit-limit")).toBe("6000");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("offers Basic where git comes in, and reports its problems", async () => {
    const refs = await fetch(`${api.url}/v1/${organization}/tool/git/info/refs`);
    expect(refs.status).toBe(401);
    expect(refs.headers.get("www-authenticate")).toBe('Basic realm="Haft"');
    const refused = await fetch(`${api.url}/v1/${organization}/tool/git/refused`, { headers });
    expect(refused.status).toBe(404);
    expect(await refused.json()).toEqual({ detail: "There is no such repository." });
  });

  it("survives callers that send nonsense and hang up", async () => {
    const socket = connect(api.port, "127.0.0.1");
    socket.write("GET /%zz\0 HTTP/1.1\r\nhost: x\r\n\r\n");
    expect(await text(socket)).toContain("400 Bad Request");
    const half = connect(api.port, "127.0.0.1");
    half.write(
      `POST ${tools} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"to`,
    );
    half.end();
    await text(half);
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  });
});

function inPieces(content: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from(content.slice(0, 1_000)));
      controller.enqueue(Buffer.from(content.slice(1_000)));
      controller.close();
    },
  });
}
