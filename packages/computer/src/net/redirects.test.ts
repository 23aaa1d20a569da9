import type { IncomingHttpHeaders } from "node:http";
import { text as readText } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { startWebServer } from "../test-support/local-server.ts";
import { openNet } from "../test-support/open-net.ts";

const text = ({ body }: { body: Uint8Array }): string => new TextDecoder().decode(body);

describe("redirects", () => {
  it("are followed twenty times, and no further", async () => {
    const { origin, port } = await startWebServer(({ url }, response) => {
      const left = Number(url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { Location: `/${left - 1}` }).end("on");
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    const answer = await net.fetch({ url: `${origin}/20` });
    expect(text(answer)).toBe("there");
    expect(answer.url).toBe(`${origin}/0`);
    await expect(net.fetch({ url: `${origin}/21` })).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("20 redirects"),
    });
  });

  it.each([
    [301, "POST", "GET "],
    [302, "POST", "GET "],
    [303, "POST", "GET "],
    [303, "PUT", "GET "],
    [301, "PUT", "PUT body"],
    [307, "POST", "POST body"],
    [308, "POST", "POST body"],
    [302, "HEAD", "HEAD "],
    [303, "HEAD", "HEAD "],
  ])("%i after %s becomes %s", async (status, method, expected) => {
    const seen: string[] = [];
    const { origin, port } = await startWebServer(async (request, response) => {
      const body = await readText(request);
      if (request.url === "/") response.writeHead(status, { Location: "/there" }).end();
      else {
        seen.push(`${request.method} ${body}`);
        if (seen[0]?.startsWith("GET")) expect(request.headers["content-type"]).toBeUndefined();
        response.end();
      }
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    const headers = { "Content-Type": "x/y" };
    await net.fetch({ url: origin, method, headers, ...(method !== "HEAD" && { body: "body" }) });
    expect(seen).toEqual([expected]);
  });

  it("keep no credential across origins, also on the way back", async () => {
    const seen: Record<string, IncomingHttpHeaders> = {};
    const far = await startWebServer((request, response) => {
      seen.far = request.headers;
      response.writeHead(302, { Location: `${near.origin}/back` }).end();
    });
    const near = await startWebServer((request, response) => {
      seen[request.url ?? ""] = request.headers;
      const next: Record<string, string> = { "/": "/same", "/same": `${far.origin}/x` };
      const location = next[request.url ?? ""];
      if (location === undefined) response.end("done");
      else response.writeHead(307, { Location: location }).end();
    });
    const secrets = {
      authorization: "Bearer s3cret",
      cookie: "s3cret=1",
      "x-api-key": "s3cret",
      "x-subscription-token": "s3cret",
      "private-token": "s3cret",
    };
    const net = openNet({ allow: ["127.0.0.1"] });
    const headers = { ...secrets, accept: "text/html", "accept-language": "de" };
    expect(text(await net.fetch({ url: near.origin, headers }))).toBe("done");
    expect(seen["/same"]).toMatchObject(headers);
    for (const place of ["far", "/back"]) {
      expect(seen[place]).toMatchObject({ accept: "text/html", "accept-language": "de" });
      expect(JSON.stringify(seen[place])).not.toContain("s3cret");
    }
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://168.63.129.16/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://localhost/",
    "http://metadata.google.internal/",
    "http://public.test.:80/",
    "//10.0.0.1/",
    "http://127.0.0.1:1/",
  ])("to %s are refused", async (location) => {
    const { origin, port } = await startWebServer((_, response) => {
      response.writeHead(302, { Location: location }).end();
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`], resolve: async () => ["10.0.0.1"] });
    await expect(net.fetch({ url: origin })).rejects.toMatchObject({ code: "out-of-scope" });
  });

  it.each(["file:///etc/passwd", "ftp://example.com/", "data:text/plain,x", "javascript:1", "//"])(
    "to %s are refused, whatever is there",
    async (location) => {
      const { origin, port } = await startWebServer((_, response) => {
        response.writeHead(302, { Location: location }).end();
      });
      const net = openNet({ allow: [`127.0.0.1:${port}`] });
      await expect(net.fetch({ url: origin })).rejects.toMatchObject({ code: "out-of-scope" });
    },
  );

  it("to another host than was granted are refused", async () => {
    const other = await startWebServer((_, response) => response.end("secret"));
    const { origin, port } = await startWebServer((_, response) => {
      response.writeHead(302, { Location: `http://localhost:${other.port}/` }).end();
    });
    const allow = [`127.0.0.1:${port}`, `localhost:${other.port}`];
    const net = openNet({ hosts: ["127.0.0.1"], allow });
    await expect(net.fetch({ url: origin })).rejects.toMatchObject({ code: "out-of-scope" });
    expect(other.requests).toEqual([]);
  });

  it("that name a user or password are refused, and nothing of it is shown", async () => {
    const { origin, port, requests } = await startWebServer((_, response) => {
      response.writeHead(302, { Location: `http://root:hunter2@127.0.0.1:${port}/in` }).end();
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    const error = await net.fetch({ url: origin }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "out-of-scope" });
    expect(String(error)).not.toMatch(/root|hunter2/u);
    expect(requests).toEqual(["GET /"]);
  });

  it("without a place to go are answers", async () => {
    const { origin, port } = await startWebServer((_, response) => {
      response.writeHead(300).end("choose");
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    expect(await net.fetch({ url: origin })).toMatchObject({ status: 300 });
  });

  it("understand names in UTF-8, as servers send them", async () => {
    const { origin, port } = await startWebServer(({ url }, response) => {
      if (url === "/") {
        response.writeHead(302, { Location: Buffer.from("/grün").toString("latin1") }).end();
      } else response.end(url);
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    expect(text(await net.fetch({ url: origin }))).toBe("/gr%C3%BCn");
  });
});
