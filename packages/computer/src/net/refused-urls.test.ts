import { describe, expect, it } from "vitest";
import { startWebServer } from "../test-support/local-server.ts";
import { openNet } from "../test-support/open-net.ts";

const loopback = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7F.1"],
  ...[
    "0177.0.0.1",
    "0177.0x0.0.01",
    "017700000001",
    "127.0.0.1.",
    "１２７.０.０.１",
    "127。0。0。1",
  ],
  ...["%31%32%37.0.0.1", "①②⑦.0.0.1", "0", "0.0.0.0", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"],
  ...["[2002:7f00:1::]", "[2001::7f00:1]", "[fe80::5efe:7f00:1]", "[2a00::200:5efe:7f00:1]"],
  ...["localhost", "LOCALHOST", "localhost.", "foo.localhost", "ｌocalhost", "loc%61lhost"],
];

describe("an address that is not public", () => {
  it.each(loopback)("is refused when spelled %s", async (host) => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    const net = openNet();
    await expect(net.fetch({ url: `http://${host}:${port}/` })).rejects.toMatchObject({
      code: "out-of-scope",
    });
    expect(requests).toEqual([]);
  });

  it("is refused with one and the same sentence, whether anything is there or not", async () => {
    const { port } = await startWebServer((_, response) => response.end());
    const errors = await Promise.all(
      [port, 1].map((each) =>
        openNet()
          .fetch({ url: `http://127.0.0.1:${each}/` })
          .catch((error: Error) => error.message.replaceAll(`:${each}`, ":PORT")),
      ),
    );
    expect(errors[0]).toBe(errors[1]);
    expect(errors[0]).toContain("--allow-host 127.0.0.1:PORT");
  });

  it("is refused behind a public name", async () => {
    for (const address of ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "junk"]) {
      const net = openNet({ resolve: async () => [address] });
      await expect(net.fetch({ url: "http://public.test/" })).rejects.toMatchObject({
        code: "out-of-scope",
      });
    }
  });

  it("is refused behind names of local networks without asking for them", async () => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name);
      return ["8.8.8.8"];
    };
    for (const name of ["intranet", "printer.local", "metadata.google.internal"]) {
      await expect(openNet({ resolve }).fetch({ url: `http://${name}/` })).rejects.toMatchObject({
        code: "out-of-scope",
      });
    }
    expect(asked).toEqual([]);
  });

  it("is never dialled when a name has public ones beside it", async () => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    // 192.0.2.1 is for documentation: had it been let through, the test would not end in a refusal.
    const net = openNet({ resolve: async () => ["127.0.0.1", "192.0.2.1", "::1"] });
    await expect(net.fetch({ url: `http://mixed.test:${port}/` })).rejects.toMatchObject({
      code: "out-of-scope",
    });
    expect(requests).toEqual([]);
  });
});

describe("a name that changes its address", () => {
  it("is looked up once: what was checked is what is dialled", async () => {
    const { port, requests } = await startWebServer((_, response) => response.end("secret"));
    let lookups = 0;
    // Public when it is checked, loopback when somebody asks again.
    const resolve = async (): Promise<string[]> => {
      lookups++;
      return [lookups === 1 ? "240.0.0.1" : "127.0.0.1"];
    };
    const net = openNet({ allow: ["rebind.test"], resolve });
    const end = net.fetch({ url: `http://rebind.test:${port}/`, timeoutMs: 500 });
    await expect(end).rejects.toMatchObject({
      code: expect.stringMatching(/unavailable|timeout/u),
    });
    expect({ lookups, requests }).toEqual({ lookups: 1, requests: [] });
  });

  it("is checked again at every hop", async () => {
    let lookups = 0;
    const { port } = await startWebServer((_, response) => {
      response.writeHead(302, { Location: `http://rebind.test:${port}/` }).end();
    });
    const resolve = async (): Promise<string[]> => {
      lookups++;
      return lookups === 1 ? ["127.0.0.1"] : ["10.0.0.1"];
    };
    const net = openNet({ allow: [`start.test:${port}`], resolve });
    await expect(net.fetch({ url: `http://start.test:${port}/` })).rejects.toMatchObject({
      code: "out-of-scope",
      message: expect.stringContaining("rebind.test"),
    });
    expect(lookups).toBe(2);
  });
});

describe("a host granted by name", () => {
  it("may be private, on its port only", async () => {
    const { port } = await startWebServer((_, response) => response.end("ok"));
    const other = await startWebServer((_, response) => response.end("other"));
    const net = openNet({ allow: [`intern.test:${port}`], resolve: async () => ["127.0.0.1"] });
    expect(await net.fetch({ url: `http://intern.test:${port}/` })).toMatchObject({ status: 200 });
    for (const url of [`http://intern.test:${other.port}/`, `http://127.0.0.1:${port}/`]) {
      await expect(net.fetch({ url })).rejects.toMatchObject({ code: "out-of-scope" });
    }
    expect(other.requests).toEqual([]);
  });

  it("does not open private addresses to its subdomains, nor a pattern of them", async () => {
    const resolve = async (): Promise<string[]> => ["127.0.0.1"];
    for (const allow of ["intern.test", "*.intern.test"]) {
      const net = openNet({ allow: [allow], resolve });
      await expect(net.fetch({ url: "http://a.intern.test/" })).rejects.toMatchObject({
        code: "out-of-scope",
      });
    }
  });

  it("still has to be granted to the call", async () => {
    const { port, requests } = await startWebServer((_, response) => response.end("ok"));
    const net = openNet({ hosts: ["example.com"], allow: [`localhost:${port}`] });
    await expect(net.fetch({ url: `http://localhost:${port}/` })).rejects.toMatchObject({
      code: "out-of-scope",
    });
    expect(requests).toEqual([]);
  });

  it("is known under every spelling of its address", async () => {
    const { port } = await startWebServer((_, response) => response.end("ok"));
    const net = openNet({ allow: [`0x7f.1:${port}`] });
    expect(await net.fetch({ url: `http://2130706433:${port}/` })).toMatchObject({ status: 200 });
  });
});

describe("a URL that can't be asked for", () => {
  it.each([
    ...["", "example.com", "/path", "http://", "http:///", "https://?x", "file:///etc/passwd"],
    ...["ftp://example.com/", "ws://example.com/", "javascript:alert(1)", "data:text/plain,x"],
    ...["http://a_b.example/", "http://exa mple.com/", "http://a..b/", "http://[fe80::1%25eth0]/"],
    ...["http://example.com:99999/", "http://example.com:0/", "http://a%00b.example/", "http://-/"],
    ...["http://256.256.256.256/", `http://${"a".repeat(64)}.example/`, "gopher://127.0.0.1:6379/"],
  ])("%j is refused as an argument", async (url) => {
    await expect(openNet().fetch({ url })).rejects.toMatchObject({ code: "invalid-arguments" });
  });

  it.each([
    "http://root:hunter2@example.com/",
    "http://root@example.com/hunter2",
    "http://:hunter2@127.0.0.1/",
    "https://example.com:hunter2@127.0.0.1/",
    "http://root:hunter2@",
    "root:hunter2@example.com",
    "ftp://root:hunter2@example.com",
  ])("%s is refused without showing what it says of a user", async (url) => {
    const error = await openNet()
      .fetch({ url })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "invalid-arguments" });
    expect(String(error)).not.toMatch(/root|hunter2/u);
  });

  it("keeps its query out of messages", async () => {
    const error = await openNet()
      .fetch({ url: "http://localhost:1/?token=hunter2" })
      .catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain("hunter2");
  });
});
