import { once } from "node:events";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";

describe("the platform, asked oddly,", () => {
  let opened: TestPlatform;
  let base: string;
  beforeAll(async () => {
    opened = await openPlatform({ settings: { requestsPerMinute: 100_000 } });
    base = `/v1/${opened.organization}`;
  });
  afterAll(() => opened.close());

  const say = async (words: string): Promise<number> => {
    const socket = connect(Number(new URL(opened.platform.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(words);
    return Number(/^HTTP\/1\.1 (\d+)/u.exec(await text(socket))?.[1]);
  };
  const ask = (line: string, headers = "", body = ""): Promise<number> =>
    say(
      [
        `${line} HTTP/1.1`,
        "Host: 127.0.0.1",
        `Authorization: Bearer ${opened.key}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        "Connection: close",
        `${headers}\r\n${body}`,
      ].join("\r\n"),
    );

  it("answers every method on every kind of path without a fault", async () => {
    const paths = [
      "/healthz",
      "/metrics",
      `${base}/tool/`,
      `${base}/tool/git/info/refs`,
      `${base}/tool/git/git-receive-pack`,
      `${base}/organization/api_key/`,
      "/nothing",
      "*",
    ];
    for (const path of paths) {
      for (const method of METHODS.filter((name) => name !== "CONNECT")) {
        const status = await ask(`${method} ${path}`);
        expect([method, path, status >= 200 && status < 500]).toEqual([method, path, true]);
      }
    }
    // A tunnel is refused by closing the connection.
    expect(await ask("CONNECT other.test:443")).toBeNaN();
  });

  it("answers 4xx to what it does not understand", async () => {
    for (const [line, headers, body] of [
      ["GET //"],
      ["GET /v1/%ff/tool/"],
      ["GET /v1/%00/tool/"],
      [`GET ${base}/tool/?limit=%ff`],
      [`POST ${base}/tool/`, "Expect: nonsense\r\n"],
      [`POST ${base}/tool/`, "Content-Encoding: br\r\n", "{}"],
      [`POST ${base}/tool/`, "", '{"__proto__":{"name":"x"}}'],
      [`POST ${base}/tool/`, "", '{"\\u005f_proto__":{"name":"x"}}'],
      [`POST ${base}/tool/`, "", '{"constructor":{"prototype":{"x":1}}}'],
      [`POST ${base}/tool/`, "", `{"name":"${"x".repeat(900_000)}"}`],
      [`POST ${base}/tool/`, "", `[${"1,".repeat(200_000)}1]`],
      [`POST ${base}/tool/`, "", `{${'"a":1,'.repeat(100_000)}"b":1}`],
      [`POST ${base}/tool/`, "", `${"[".repeat(6_000)}${"]".repeat(6_000)}`],
      [`POST ${base}/tool/git/git-receive-pack`, "Content-Type: application/json\r\n", "{}"],
      ["BREW /"],
      ["GET"],
    ] as const) {
      const status = await ask(line, headers, body);
      expect([line, body?.slice(0, 40), status]).toEqual([
        line,
        body?.slice(0, 40),
        expect.toSatisfy((code: number) => code >= 400 && code < 500),
      ]);
    }
    expect(await say("GET / HTTP/9.9\r\n\r\n")).toBe(400);
    expect(await ask("GET /healthz")).toBe(200);
  });
});
