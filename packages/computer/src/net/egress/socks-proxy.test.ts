import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { startTcpServer } from "../../test-support/local-server.ts";
import { listen, openTestEgress } from "../../test-support/open-test-egress.ts";
import { takeBytes } from "./take-bytes.ts";

const hello = [5, 1, 0];
const portBytes = (port: number): number[] => [port >> 8, port & 0xff];
const toName = (name: string | Uint8Array, port: number, command = 1): Uint8Array => {
  const bytes = typeof name === "string" ? Buffer.from(name, "latin1") : name;
  return Uint8Array.of(5, command, 0, 3, bytes.length, ...bytes, ...portBytes(port));
};
const to4 = (address: number[], port: number): Uint8Array =>
  Uint8Array.of(5, 1, 0, 1, ...address, ...portBytes(port));
const to6 = (address: number[], port: number): Uint8Array =>
  Uint8Array.of(5, 1, 0, 4, ...address, ...portBytes(port));

async function greet(path: string): Promise<Socket> {
  const socket = connect(path);
  socket.write(Uint8Array.from(hello));
  expect([...(await takeBytes(socket, 2))]).toEqual([5, 0]);
  return socket;
}

async function ask(path: string, request: Uint8Array): Promise<number | undefined> {
  const socket = await greet(path);
  socket.write(request);
  const [version, code] = await takeBytes(socket, 10);
  socket.destroy();
  expect(version).toBe(5);
  return code;
}

describe("SOCKS 5", () => {
  it("connects to names and addresses", async () => {
    const { port } = await startTcpServer((socket) => socket.pipe(socket));
    const egress = await openTestEgress({
      allow: [`localhost:${port}`, `127.0.0.1:${port}`, `name.test:${port}`],
      resolve: async () => ["127.0.0.1"],
    });
    const requests = [
      toName("localhost", port),
      toName("LOCALHOST.", port),
      toName("name.test", port),
      toName("127.0.0.1", port),
      to4([127, 0, 0, 1], port),
    ];
    for (const request of requests) {
      const socket = await greet(egress.socketPath);
      socket.write(request);
      expect((await takeBytes(socket, 10))[1]).toBe(0);
      socket.end("hello");
      expect(String(await listen(socket))).toBe("hello");
    }
  });

  it("hears a request that comes byte by byte", async () => {
    const { port } = await startTcpServer((socket) => socket.end("there"));
    const egress = await openTestEgress({ allow: [`localhost:${port}`] });
    const socket = connect(egress.socketPath);
    await once(socket, "connect");
    for (const byte of [...hello, ...toName("localhost", port)]) {
      socket.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const answer = await listen(socket);
    expect([...answer.subarray(0, 4)]).toEqual([5, 0, 5, 0]);
    expect(String(answer.subarray(12))).toBe("there");
  });

  const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1];

  it.each<[string, Uint8Array]>([
    ["loopback", to4([127, 0, 0, 1], 80)],
    ["metadata", to4([169, 254, 169, 254], 80)],
    ["this network", to4([0, 0, 0, 0], 80)],
    ["loopback in IPv6", to6([...Array(15).fill(0), 1], 80)],
    ["loopback in IPv6 clothes", to6(mapped, 80)],
    ["an address by name", toName("0x7f.1", 80)],
    ["a name that is private", toName("private.test", 80)],
    ["a name with NUL, which other ears hear otherwise", toName("private.test\0.granted.test", 80)],
    ["a name with a line break", toName("a.test\r\n", 80)],
    ["a name beyond ASCII", toName("b\xfccher.test", 80)],
    ["an empty name", toName("", 80)],
    ["a name that is too long", toName(`${"a".repeat(60)}.`.repeat(4), 80)],
    ["a name with an underscore", toName("a_b.test", 80)],
    ["no port", toName("granted.test", 0)],
  ])("refuses %s as not allowed", async (_, request) => {
    const egress = await openTestEgress({ resolve: async () => ["10.0.0.1"] });
    expect(await ask(egress.socketPath, request)).toBe(2);
  });

  it("refuses hosts that were not granted, and remembers them", async () => {
    const egress = await openTestEgress({ hosts: ["granted.test"] });
    expect(await ask(egress.socketPath, toName("other.test", 443))).toBe(2);
    expect(egress.refused()).toEqual(["other.test"]);
  });

  it("does nothing but connect", async () => {
    const egress = await openTestEgress();
    for (const command of [2, 3, 9]) {
      expect(await ask(egress.socketPath, toName("public.test", 80, command))).toBe(7);
    }
    expect(await ask(egress.socketPath, Uint8Array.of(5, 1, 0, 9, 1, 1, 1, 1, 1, 1))).toBe(8);
  });

  it("refuses clients that offer no supported method", async () => {
    const egress = await openTestEgress();
    const socket = connect(egress.socketPath);
    socket.write(Uint8Array.of(5, 1, 2));
    expect([...(await listen(socket))]).toEqual([5, 0xff]);
  });

  it("says that a host can't be reached", async () => {
    const resolve = async (): Promise<string[]> => {
      throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
    };
    const egress = await openTestEgress({ resolve });
    expect(await ask(egress.socketPath, toName("unknown.test", 80))).toBe(4);
  });
});
