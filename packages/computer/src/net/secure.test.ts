import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { startWebServer } from "../test-support/local-server.ts";
import { openNet } from "../test-support/open-net.ts";
import { testCertificate, testKey } from "../test-support/test-certificate.ts";

describe("https", () => {
  it("asks for the name at the address that was checked, and proves the name", async () => {
    trust();
    const { port, names } = await startSecureServer();
    const net = openNet({
      allow: [`secure.test:${port}`, `a.wild.test:${port}`, `127.0.0.1:${port}`],
      resolve: async () => ["127.0.0.1"],
    });
    for (const host of ["secure.test", "a.wild.test", "127.0.0.1"]) {
      expect(await net.fetch({ url: `https://${host}:${port}/` })).toMatchObject({ status: 200 });
    }
    // An address is no name to ask for.
    expect(names).toEqual(["secure.test", "a.wild.test", false]);
  });

  it("is refused with a certificate for another name", async () => {
    trust();
    const { port } = await startSecureServer();
    const resolve = async (): Promise<string[]> => ["127.0.0.1"];
    const net = openNet({ allow: [`other.test:${port}`, `localhost:${port}`], resolve });
    for (const host of ["other.test", "localhost"]) {
      await expect(net.fetch({ url: `https://${host}:${port}/` })).rejects.toMatchObject({
        code: "unavailable",
        message: `https://${host}:${port}/ can't be reached: its certificate is for another name.`,
      });
    }
  });

  it("is refused for a self-signed certificate", async () => {
    const { port } = await startSecureServer();
    const net = openNet({ allow: ["secure.test"], resolve: async () => ["127.0.0.1"] });
    await expect(net.fetch({ url: `https://secure.test:${port}/` })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("its certificate is self-signed"),
    });
  });

  it("drops credentials when it leads to http", async () => {
    trust();
    const seen: unknown[] = [];
    const plain = await startWebServer((request, response) => {
      seen.push(request.headers.cookie, request.headers.accept);
      response.end();
    });
    const { port } = await startSecureServer(`http://secure.test:${plain.port}/`);
    const net = openNet({ allow: ["secure.test"], resolve: async () => ["127.0.0.1"] });
    const headers = { cookie: "a=b", accept: "text/html" };
    await net.fetch({ url: `https://secure.test:${port}/`, headers });
    expect(seen).toEqual([undefined, "text/html"]);
  });
});

function trust(): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, testCertificate]);
  onTestFinished(() => setDefaultCACertificates(before));
}

async function startSecureServer(location?: string): Promise<{ port: number; names: unknown[] }> {
  const names: unknown[] = [];
  const server = createServer({ cert: testCertificate, key: testKey }, (request, response) => {
    const socket = request.socket as TLSSocket & { servername?: unknown };
    names.push(socket.servername);
    if (location !== undefined) response.writeHead(302, { Location: location });
    response.end("ok");
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, names };
}
