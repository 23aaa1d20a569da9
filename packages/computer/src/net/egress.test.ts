import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startTcpServer, startWebServer } from "../test-support/local-server.ts";
import { listen, openTestEgress, talk } from "../test-support/open-test-egress.ts";

const connectTo = (place: string): string => `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`;
const askFor = (url: string, more = ""): string =>
  `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;

describe("an egress", () => {
  it("has a private socket, which is removed with it", async () => {
    const egress = await openTestEgress();
    const directory = dirname(egress.socketPath);
    expect(statSync(directory).mode & 0o777).toBe(0o711);
    expect(statSync(egress.socketPath).mode & 0o777).toBe(0o666);
    expect(egress.socketPath).toMatch(/\/[0-9a-f]{24}$/u);
    await egress.close();
    expect(existsSync(directory)).toBe(false);
    await egress.close();
  });

  it("opens tunnels", async () => {
    const { port } = await startTcpServer((socket) => socket.pipe(socket));
    const egress = await openTestEgress({ allow: [`localhost:${port}`] });
    const socket = connect(egress.socketPath);
    // What follows at once is for the other side already.
    socket.end(`${connectTo(`localhost:${port}`)}hello`);
    const answer = String(await listen(socket));
    expect(answer).toBe("HTTP/1.1 200 Connection established\r\n\r\nhello");
  });

  it("passes requests on, several in one connection, each to its own host", async () => {
    const one = await startWebServer(({ url, headers }, response) => {
      response.writeHead(200, {
        "X-Seen": JSON.stringify(headers),
        Connection: "X-Hop",
        "X-Hop": "1",
      });
      response.end(`one ${url}`);
    });
    const two = await startWebServer(({ url }, response) => response.end(`two ${url}`));
    const egress = await openTestEgress({
      allow: [`one.test:${one.port}`, `two.test:${two.port}`],
      resolve: async () => ["127.0.0.1"],
    });
    const first = `GET http://one.test:${one.port}/a?b HTTP/1.1\r\nHost: evil.test\r\nX-Kept: 1\r\nConnection: X-Mine\r\nX-Mine: 1\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nTE: trailers\r\nUpgrade: h2c\r\n\r\n`;
    const answer = String(
      await talk(egress.socketPath, `${first}${askFor(`http://two.test:${two.port}/c`)}`),
    );
    expect(answer).toContain("one /a?b");
    expect(answer).toContain("two /c");
    expect(answer).not.toContain("X-Hop");
    const seen = JSON.parse(/X-Seen: (.*)\r/u.exec(answer)?.[1] ?? "");
    expect(seen).toEqual({ host: `one.test:${one.port}`, "x-kept": "1", connection: "close" });
  });

  it("passes bodies on, framed as one message whatever the method", async () => {
    const { port, requests } = await startWebServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end(`${request.method} got ${Buffer.concat(chunks)}`);
    });
    const egress = await openTestEgress({ allow: [`localhost:${port}`] });
    const smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const method of ["POST", "GET", "DELETE"]) {
      const answer = await talk(
        egress.socketPath,
        `${method} http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
      );
      expect(String(answer)).toContain(`${method} got ${smuggled}`);
    }
    expect(requests).toEqual(["POST /", "GET /", "DELETE /"]);
  });

  it.each([
    ...["127.0.0.1:80", "localhost:80", "foo.localhost:80", "[::1]:80", "[::ffff:127.0.0.1]:80"],
    ...["0x7f.1:80", "2130706433:80", "0177.1:80", "127.0.0.1.:80", "169.254.169.254:80", "0:80"],
    ...["metadata.google.internal:80", "intranet:80", "private.test:80", "[fe80::1%25lo]:80"],
    ...[
      "a_b.test:80",
      "a..test:80",
      "-.test:80",
      `${"a".repeat(64)}.test:80`,
      "user@public.test:80",
    ],
    ...[
      "public.test:0",
      "public.test:65536",
      "public.test:",
      "public.test",
      ":80",
      "*:80",
      "[::1:80",
    ],
    ...[`${"a.".repeat(130)}test:80`, "192.168.1.1:22", "10.0.0.1:443", "[64:ff9b::7f00:1]:80"],
  ])("refuses a tunnel to %s with 403", async (place) => {
    const egress = await openTestEgress({ resolve: async () => ["10.1.1.1"] });
    const answer = String(await talk(egress.socketPath, connectTo(place)));
    expect(answer).toMatch(/^HTTP\/1\.1 (?:403|400) /u);
  });

  it("says whom it refused, and how a person can grant it", async () => {
    const egress = await openTestEgress({ hosts: ["granted.test"], allow: ["granted.test:81"] });
    const refusal = String(await talk(egress.socketPath, askFor("http://Other.test/x?y")));
    expect(refusal).toContain("HTTP/1.1 403 other.test may not be reached");
    expect(refusal).toContain("Haft: other.test may not be reached");
    expect(refusal).toContain("--allow-host other.test");
    const port = String(await talk(egress.socketPath, connectTo("granted.test:80")));
    expect(port).toContain("--allow-host granted.test:80");
    await talk(egress.socketPath, connectTo("other.test:443"));
    await talk(egress.socketPath, connectTo("junk_host:443"));
    expect(egress.refused()).toEqual(["other.test", "granted.test:80"]);
  });

  it("remembers only so many", async () => {
    const egress = await openTestEgress({ hosts: [] });
    for (let number = 0; number < 110; number++) {
      await talk(egress.socketPath, connectTo(`h${number}.test:1`));
    }
    expect(egress.refused()).toHaveLength(100);
  });

  it("knows a narrower list of hosts, matched at the dots", async () => {
    const { port } = await startWebServer((_, response) => response.end("ok"));
    const egress = await openTestEgress({
      only: ["only.test", "*.wide.test"],
      allow: [
        "only.test",
        "x.only.test",
        "evil-only.test",
        "a.wide.test",
        "wide.test",
        "other.test",
      ],
      resolve: async () => ["127.0.0.1"],
    });
    const ask = async (host: string): Promise<string> =>
      String(await talk(egress.socketPath, askFor(`http://${host}:${port}/`))).slice(9, 12);
    expect(await Promise.all(["only.test", "a.wide.test"].map(ask))).toEqual(["200", "200"]);
    const refused = ["x.only.test", "evil-only.test", "wide.test", "other.test"];
    expect(await Promise.all(refused.map(ask))).toEqual(["403", "403", "403", "403"]);
  });

  it("keeps from private addresses even of named hosts, where only public ones may be reached", async () => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    const allow = ["named.test", `localhost:${port}`, "127.0.0.1"];
    const egress = await openTestEgress({
      allow,
      onlyPublic: true,
      resolve: async () => ["127.0.0.1"],
    });
    for (const host of ["named.test", "localhost", "127.0.0.1"]) {
      const answer = String(await talk(egress.socketPath, askFor(`http://${host}:${port}/`)));
      expect(answer.slice(9, 12)).toBe("403");
    }
    expect(requests).toEqual([]);
  });

  it("looks a name up once and dials what it checked", async () => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    const lookups: string[] = [];
    // The second time it would be the server above.
    const resolve = async (name: string): Promise<string[]> => {
      lookups.push(name);
      return [lookups.length === 1 ? "240.0.0.1" : "127.0.0.1"];
    };
    const egress = await openTestEgress({ allow: ["rebind.test"], resolve });
    const answer = talk(egress.socketPath, connectTo(`rebind.test:${port}`));
    // Some machines know at once that nothing is there, others wait for it.
    await Promise.race([answer, new Promise((later) => setTimeout(later, 300))]);
    await egress.close();
    expect(String(await answer)).not.toContain("200");
    expect({ lookups, requests }).toEqual({ lookups: ["rebind.test"], requests: [] });
  });

  it("tells what can't be reached from what may not be", async () => {
    const { port } = await startTcpServer((socket) => socket.destroy());
    const resolve = async (): Promise<string[]> => {
      throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
    };
    const egress = await openTestEgress({ allow: [`localhost:${port}`], resolve });
    const unknown = String(await talk(egress.socketPath, connectTo("unknown.test:80")));
    expect(unknown).toContain("502 unknown.test:80 can't be reached");
    expect(unknown).toContain("the name does not exist");
    const broken = String(await talk(egress.socketPath, askFor(`http://localhost:${port}/`)));
    expect(broken).toContain(`502 localhost:${port} can't be reached`);
    expect(egress.refused()).toEqual([]);
  });

  it.each([
    ["the path alone", "GET / HTTP/1.1\r\nHost: public.test\r\nConnection: close\r\n\r\n"],
    ["https", askFor("https://public.test/")],
    ["ftp", askFor("ftp://public.test/")],
    ["a password", askFor("http://user:pw@public.test/")],
    ["nothing it knows", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["too much of a header", askFor("http://public.test/", `X: ${"x".repeat(40_000)}\r\n`)],
  ])("refuses requests for %s", async (_, words) => {
    const egress = await openTestEgress();
    expect(String(await talk(egress.socketPath, words))).toMatch(/^HTTP\/1\.1 4\d\d /u);
  });

  it("serves 64 connections at a time, and then the next", async () => {
    const egress = await openTestEgress();
    const sockets = Array.from({ length: 64 }, () => connect(egress.socketPath));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect((await listen(connect(egress.socketPath))).length).toBe(0);
    for (const socket of sockets) socket.destroy();
    await Promise.all(sockets.map((socket) => once(socket, "close")));
    await expect
      .poll(async () => String(await talk(egress.socketPath, connectTo("localhost:1"))), {
        timeout: 15_000,
      })
      .toContain("403");
  });

  it("ends everything at once when it is closed", async () => {
    const ended: Promise<unknown>[] = [];
    const { port } = await startTcpServer((socket) => {
      ended.push(once(socket, "close"));
      socket.write("held");
    });
    const egress = await openTestEgress({ allow: [`localhost:${port}`] });
    const tunnel = connect(egress.socketPath);
    tunnel.write(connectTo(`localhost:${port}`));
    await once(tunnel, "data");
    const idle = connect(egress.socketPath);
    await once(idle, "connect");
    const all = [listen(tunnel), listen(idle)];
    await egress.close();
    await Promise.all([...all, ...ended]);
  });

  it("survives any input", async () => {
    const egress = await openTestEgress({ hosts: [] });
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 });
    const talkish = fc.oneof(
      bytes,
      bytes.map((more) => Uint8Array.of(5, 1, 0, ...more)),
      bytes.map((more) => Uint8Array.of(5, 1, 0, 5, 1, 0, 3, ...more)),
      bytes.map((more) => Buffer.concat([Buffer.from("CONNECT "), more])),
      bytes.map((more) => Buffer.concat([Buffer.from("GET http://a/ HTTP/1.1\r\n"), more])),
    );
    await fc.assert(
      fc.asyncProperty(talkish, async (words) => {
        const socket = connect(egress.socketPath);
        socket.end(words);
        const answer = String(await listen(socket));
        expect(answer).not.toMatch(/200 Connection established|^HTTP\/1\.1 200/u);
      }),
      { numRuns: 300 },
    );
    expect(String(await talk(egress.socketPath, connectTo("a.test:1")))).toContain("403");
  });
});
