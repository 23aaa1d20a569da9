import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "./listen.ts";
import { testCertificates } from "./test-support/test-certificates.ts";

describe("a server with TLS", () => {
  const { first, second } = testCertificates;
  const open = () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-tls-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const tls = { certificate: join(directory, "server.crt"), key: join(directory, "server.key") };
    const write = (pair: { readonly certificate: string; readonly key: string }): void => {
      writeFileSync(tls.certificate, pair.certificate);
      writeFileSync(tls.key, pair.key);
    };
    write(first);
    return { tls, write };
  };

  it("uses changed files for the next connection, and keeps the old ones if they are unusable", async () => {
    const { tls, write } = open();
    const errors: string[] = [];
    const server = await listen((_, response) => void response.end("served"), {
      ...{ port: 0, hostname: "127.0.0.1", tls },
      onTlsError: ({ message }) => errors.push(message),
    });
    onTestFinished(() => server.close());
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const look = async (): Promise<string> => {
      const socket = connect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
      await once(socket, "secureConnect");
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      return subject.CN as string;
    };
    expect(await look()).toBe(first.name);
    write(second);
    expect(await look()).toBe(second.name);
    write({ certificate: first.certificate, key: `${second.key}\n` });
    expect(await look()).toBe(second.name);
    expect(errors).toEqual([expect.stringContaining("Use a matching pair in PEM format.")]);
    write(first);
    expect(await look()).toBe(first.name);
  });

  it("does not start without a usable certificate", async () => {
    const { tls, write } = open();
    const start = () => listen(() => {}, { port: 0, hostname: "127.0.0.1", tls });
    write({ certificate: "", key: "no key" });
    await expect(start()).rejects.toThrow(/server\.crt and .*server\.key can't be used/u);
    rmSync(tls.key);
    await expect(start()).rejects.toThrow(/There is no file .*server\.key/u);
  });
});
