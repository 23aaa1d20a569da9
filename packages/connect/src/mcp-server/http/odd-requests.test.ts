import { once } from "node:events";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { token } from "../test-support/connect-client.ts";
import { openServing } from "../test-support/open-serving.ts";
import { startMcpHttp } from "./start-mcp-http.ts";

describe("MCP over HTTP, asked oddly,", () => {
  it("answers every other method with 405 and what it takes", async () => {
    const { ask } = await start();
    for (const method of METHODS.filter((name) => !["GET", "POST", "DELETE"].includes(name))) {
      const { status, answer } = await ask([`${method} /mcp`]);
      // A tunnel is refused by closing the connection.
      if (method === "CONNECT") expect(answer).toBe("");
      else {
        expect([method, status]).toEqual([method, 405]);
        expect(answer).toMatch(/^allow: GET, POST, DELETE\r$/imu);
      }
    }
  });

  it("answers 4xx to what it does not understand, and continues", async () => {
    const { ask, say } = await start();
    for (const asked of oddRequests) {
      const { status } = await ask(asked);
      expect([asked, status >= 400 && status < 500]).toEqual([asked, true]);
    }
    expect((await say("GET /mcp HTTP/9.9\r\n\r\n")).status).toBe(400);
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
    const accept = "Accept: application/json, text/event-stream\r\n";
    expect((await ask(["POST /mcp", accept, body])).status).toBe(200);
  });
});

type Asked = readonly [start: string, headers?: string, body?: string];

const oddRequests: readonly Asked[] = [
  ["POST *"],
  ["OPTIONS *"],
  ["GET //mcp"],
  ["GET /mcp/../mcp"],
  ["GET /mcp#x"],
  ["GET /mcp?%"],
  ["POST /mcp?\u00ff"],
  ["GET http://other.test/mcp"],
  ["GET /mcp\\"],
  ["POST /mcp", "Expect: nonsense\r\n"],
  ["POST /mcp", "Upgrade: websocket\r\n"],
  ["POST /mcp", "Mcp-Session-Id: \u0001\r\n"],
  ["POST /mcp", "Mcp-Session-Id: ../../x\r\n"],
  ["POST /mcp", "MCP-Protocol-Version: 0\r\n"],
  ["POST /mcp", "Content-Encoding: br\r\n"],
  ["POST /mcp", "", "[]"],
  ["POST /mcp", "", "null"],
  ["POST /mcp", "", '"\\ud800"'],
  ["POST /mcp", "", '{"jsonrpc":"2.0","id":{},"method":[]}'],
  ["POST /mcp", "", `${"[".repeat(9_000)}${"]".repeat(9_000)}`],
  ["POST /mcp", "", `${'{"params":'.repeat(9_000)}1${"}".repeat(9_000)}`],
  ["DELETE /mcp"],
  ["BREW /mcp"],
  ["get /mcp"],
  ["GET"],
];

async function start() {
  const http = await startMcpHttp(openServing(), { port: 0, token });
  onTestFinished(() => http.close());
  const say = async (words: string) => {
    const socket = connect(http.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(words);
    const answer = await text(socket);
    return { answer, status: Number(/^HTTP\/1\.1 (\d+)/u.exec(answer)?.[1]) };
  };
  const ask = ([line, headers = "", body = ""]: Asked) =>
    say(
      [
        `${line} HTTP/1.1`,
        `Host: 127.0.0.1:${http.port}`,
        `Authorization: Bearer ${token}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        "Connection: close",
        `${headers}\r\n${body}`,
      ].join("\r\n"),
    );
  return { say, ask };
}
