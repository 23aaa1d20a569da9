import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startTcpServer, startWebServer } from "../test-support/local-server.ts";
import { openNet } from "../test-support/open-net.ts";
import { listen, openTestEgress, talk } from "../test-support/open-test-egress.ts";
import { takeBytes } from "./egress/take-bytes.ts";
import { createOriginGuard } from "./local-server/request-guards.ts";
import type { ResolveName } from "./resolve-name.ts";

/** A name server whose answer is another one each time, the last one for good. */
function changing(...answers: readonly (readonly string[])[]): ResolveName & { count(): number } {
  let count = 0;
  const resolve: ResolveName = async () => answers[Math.min(count++, answers.length - 1)] ?? [];
  return Object.assign(resolve, { count: () => count });
}

const tunnel = (place: string): string => `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`;
const get = (url: string, more = ""): string => `GET ${url} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

async function askSocks(path: string, name: string, port: number): Promise<number | undefined> {
  const socket = connect(path);
  const bytes = Buffer.from(name, "latin1");
  socket.write(Uint8Array.of(5, 1, 0));
  await takeBytes(socket, 2);
  socket.write(Uint8Array.of(5, 1, 0, 3, bytes.length, ...bytes, port >> 8, port & 0xff));
  const [, code] = await takeBytes(socket, 10);
  socket.destroy();
  return code;
}

describe("a name that leads somewhere else each time", () => {
  const inside = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "169.254.169.254"];
  // What is no address, or one of a link, is not what a name server may say.
  const odd = ["fe80::1%lo", "::1%lo", "127.0.0.1%25lo", "127.1", "0x7f000001", "localhost", ""];

  it.each([...inside, ...odd])("is not followed to %j, through any door", async (address) => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    const resolve = changing([address]);
    const egress = await openTestEgress({ resolve });
    const fetched = openNet({ resolve }).fetch({ url: `http://rebind.test:${port}/` });
    await expect(fetched).rejects.toMatchObject({ code: "out-of-scope" });
    expect(String(await talk(egress.socketPath, tunnel(`rebind.test:${port}`)))).toContain(" 403 ");
    const url = `http://rebind.test:${port}/`;
    const end = "Connection: close\r\n";
    expect(String(await talk(egress.socketPath, get(url, end)))).toContain(" 403 ");
    expect(await askSocks(egress.socketPath, "rebind.test", port)).toBe(2);
    expect(requests).toEqual([]);
  });

  it("is judged with every connection, however short ago it was public", async () => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    // 240.0.0.1 is reserved: no connection to it succeeds.
    const resolve = changing(["240.0.0.1"], ["127.0.0.1"]);
    const net = openNet({ resolve });
    const fetches = Array.from({ length: 20 }, () =>
      net.fetch({ url: `http://rebind.test:${port}/`, timeoutMs: 500 }).then(
        () => "reached",
        ({ code }: { code: string }) => code,
      ),
    );
    expect(await Promise.all(fetches)).not.toContain("reached");
    expect(resolve.count()).toBe(20);
    expect(requests).toEqual([]);
  });

  it("is judged again for the second request of a connection to the proxy", async () => {
    const { port, requests } = await startWebServer(({ url }, response) =>
      response.end(`at ${url}`),
    );
    const egress = await openTestEgress({
      allow: [`one.test:${port}`],
      // Both names lead to this machine by the time they are asked for.
      resolve: changing(["127.0.0.1"]),
    });
    const words = `${get(`http://one.test:${port}/a`)}${get(`http://rebind.test:${port}/b`, "Connection: close\r\n")}`;
    const answer = String(await talk(egress.socketPath, words));
    expect(answer).toContain("at /a");
    expect(answer).toContain(" 403 ");
    expect(requests).toEqual(["GET /a"]);
  });

  it("is judged again when it redirects to itself", async () => {
    const inner = await startWebServer((_, response) => response.end("secret"));
    const { port } = await startWebServer((_, response) => {
      response.writeHead(302, { location: `http://rebind.test:${inner.port}/` }).end();
    });
    const net = openNet({ allow: [`rebind.test:${port}`], resolve: changing(["127.0.0.1"]) });
    await expect(net.fetch({ url: `http://rebind.test:${port}/` })).rejects.toMatchObject({
      code: "out-of-scope",
    });
    expect(inner.requests).toEqual([]);
  });

  it.each([
    "REBIND.test",
    "rebind.test.",
    "rebind.test:0",
    "rebind.test@127.0.0.1",
    "127.0.0.1#.rebind.test",
    "[::1%25lo]",
    "xn--lclhst-5ra.test",
  ])("reaches nothing under the spelling %s", async (spelling) => {
    const { port, requests } = await startTcpServer((socket) => socket.end("secret"));
    const egress = await openTestEgress({
      allow: [`rebind.test:${port + 1}`],
      resolve: changing(["127.0.0.1"]),
    });
    const socket = connect(egress.socketPath);
    socket.end(tunnel(`${spelling}:${port}`));
    expect(String(await listen(socket))).not.toContain(" 200 ");
    expect(await askSocks(egress.socketPath, spelling, port)).toBe(2);
    expect(requests).toEqual([]);
  });
});

describe("a server on this machine", () => {
  const port = 4321;
  const judge = (headers: Readonly<Record<string, string>>): number | undefined =>
    createOriginGuard("127.0.0.1")({ headers, socket: { localPort: port } } as never)?.status;

  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])("answers to %s", (name) => {
    expect(judge({ host: `${name}:${port}` })).toBeUndefined();
    expect(judge({ host: `${name}:${port}`, origin: `http://${name}:${port}` })).toBeUndefined();
  });

  it.each([
    ...["rebind.test:4321", "rebind.test", "127.0.0.1", "127.0.0.1:80", "localhost:43210"],
    ...["127.0.0.1.:4321", "127.1:4321", "2130706433:4321", "0.0.0.0:4321", "localhost.:4321"],
    ...["localhost.rebind.test:4321", "127.0.0.1.nip.test:4321", "a.localhost:4321", ""],
    ...["[::ffff:127.0.0.1]:4321", "[::1%25lo]:4321", "::1:4321", "user@127.0.0.1:4321"],
    ...["127.0.0.1:4321, rebind.test", "127.0.0.1:4321 ", "127.0.0.1:04321", "rebind.test\t:4321"],
  ])("does not answer to the host %j", (host) => {
    expect(judge({ host })).toBe(403);
  });

  it.each([
    ...["null", "", "http://rebind.test", "http://rebind.test:4321", "http://127.0.0.1"],
    ...["https://127.0.0.1:4321", "http://127.0.0.1:4321.rebind.test", "http://localhost:4321"],
    ...["http://127.0.0.1:4321/", "HTTP://127.0.0.1:4321", "file://", "chrome-extension://abc"],
  ])("does not answer a page of the origin %j", (origin) => {
    expect(judge({ host: `127.0.0.1:${port}`, origin })).toBe(403);
  });
});
