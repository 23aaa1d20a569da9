import { gzipSync } from "node:zlib";
import { createMemoryComputer } from "@haft/computer/memory";
import type { Net, NetResponse } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { makePdf } from "../test-support/make-pdf.ts";
import { openSession } from "../test-support/open-session.ts";
import { openWebRuntime, startWebServer } from "../test-support/open-web.ts";
import { createWebFetch, type WebFetchData } from "./create-web-fetch.ts";
import { webFetch } from "./web-fetch.ts";

const prose = "A sentence, with a comma, that says a little. ".repeat(20);

interface Answer {
  readonly type?: string;
  readonly status?: number;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

/** Fetches a page that a server of the test answers with. */
async function fetchAnswer({
  type,
  status = 200,
  body = "",
  headers,
}: Answer): Promise<WebFetchData> {
  const { port } = await startWebServer((_, response) => {
    response.writeHead(status, { ...headers, ...(type !== undefined && { "Content-Type": type }) });
    response.end(body);
  });
  const runtime = openWebRuntime(webFetch, [`localhost:${port}`]);
  const data = await webFetch.execute({ url: `http://localhost:${port}/dir/page?x=1` }, runtime);
  return JSON.parse(JSON.stringify(data).replaceAll(`localhost:${port}`, "localhost"));
}

describe("web_fetch", () => {
  it("makes Markdown of HTML", async () => {
    const body = `<title>A page</title><nav>Home</nav><h1>Head</h1><p>${prose}<a href="b">link</a></p><script>x</script>`;
    const data = await fetchAnswer({ type: "text/html; charset=utf-8", body });
    expect(data).toMatchObject({
      url: "http://localhost/dir/page?x=1",
      status: 200,
      title: "A page",
      content_type: "text/html",
    });
    expect(data).not.toHaveProperty("final_url");
    expect(data.text).toContain("[link](http://localhost/dir/b)");
    expect(data.text).not.toMatch(/Home|script/u);
  });

  it.each<[string, Answer, Partial<WebFetchData>]>([
    ["text", { type: "text/plain", body: "a\n b" }, { text: "a\n b", content_type: "text/plain" }],
    ["Markdown", { type: "text/markdown", body: "# A\n<b>" }, { text: "# A\n<b>" }],
    [
      "JSON in lines",
      { type: "application/json", body: '{"a":[1]}' },
      { text: '{\n  "a": [\n    1\n  ]\n}' },
    ],
    [
      "feeds",
      { type: "application/rss+xml", body: "<rss><title>x</title></rss>" },
      { text: "<rss><title>x</title></rss>" },
    ],
    [
      "a PDF's text",
      { type: "application/pdf", body: makePdf([["Hello"], ["World"]], "T") },
      { text: "Hello\n\nWorld", title: "T" },
    ],
    [
      "PDFs that are not called so",
      { type: "application/octet-stream", body: makePdf([["Hi"]]) },
      { text: "Hi" },
    ],
    [
      "what has no type",
      { body: "<!doctype html><p>words" },
      { text: "words", content_type: "text/html" },
    ],
    [
      "other encodings",
      { type: "text/plain; charset=windows-1251", body: Buffer.from("cff0e8", "hex") },
      { text: "\u041f\u0440\u0438" },
    ],
    [
      "compressed answers",
      { type: "text/plain", body: gzipSync("zip"), headers: { "Content-Encoding": "gzip" } },
      { text: "zip" },
    ],
  ])("reads %s", async (_, answer, expected) => {
    expect(await fetchAnswer(answer)).toMatchObject(expected);
  });

  it("removes invisible characters from text and title", async () => {
    const hidden = "\u202e\u200b\u{e0041}";
    const plain = await fetchAnswer({
      type: "text/plain; charset=utf-8",
      body: `a${hidden}\u001b[1mb`,
    });
    expect(plain.text).toBe("a[1mb");
    const body = `<title>T${hidden}&#8238;i</title><p>x${hidden}&#x202e;&#xE0041;y`;
    const page = await fetchAnswer({ type: "text/html; charset=utf-8", body });
    expect([page.title, page.text]).toEqual(["Ti", "xy"]);
  });

  it.each([
    ["image/png", "\x89PNG", /image\/png, 4 bytes/u],
    ["application/zip", "PK", /application\/zip, 2 bytes/u],
    ["text/plain", "a\0b\0", /text\/plain, 4 bytes/u],
    ["", "\x7fELF\x02\x01\0\0\0", /unknown type, 9 bytes/u],
  ])("says of %j what it is, not what it holds", async (type, body, message) => {
    const answer = { ...(type !== "" && { type }), body: Buffer.from(body, "latin1") };
    await expect(fetchAnswer(answer)).rejects.toMatchObject({
      code: "binary",
      message: expect.stringMatching(message),
    });
  });

  it("gives what a server says about a failure, with a note", async () => {
    const data = await fetchAnswer({
      type: "text/html",
      status: 404,
      body: "<h1>Gone fishing</h1>",
    });
    expect(data).toMatchObject({ status: 404, text: "# Gone fishing" });
    expect(data.note).toContain("status 404");
  });

  it.each([
    [404, "not-found"],
    [410, "not-found"],
    [403, "failed"],
    [429, "unavailable"],
    [503, "unavailable"],
  ])("fails where there is nothing but status %i", async (status, code) => {
    await expect(fetchAnswer({ status })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(String(status)),
    });
  });

  it("says so where there is nothing to read", async () => {
    expect((await fetchAnswer({})).note).toBe("The response is empty.");
    const app = await fetchAnswer({
      type: "text/html",
      body: "<div id=app></div><script src=x></script>",
    });
    expect(app).toMatchObject({ text: "", note: expect.stringContaining("script") });
    const scan = await fetchAnswer({ type: "application/pdf", body: makePdf([[]]) });
    expect(scan.note).toContain("no text");
  });

  it("tells where redirects led", async () => {
    const { port } = await startWebServer(({ url }, response) => {
      if (url === "/a") response.writeHead(302, { Location: "/b" }).end();
      else response.writeHead(200, { "Content-Type": "text/plain" }).end("there");
    });
    const runtime = openWebRuntime(webFetch, [`localhost:${port}`]);
    const data = await webFetch.execute({ url: `http://localhost:${port}/a` }, runtime);
    expect(data).toMatchObject({
      url: `http://localhost:${port}/a`,
      final_url: `http://localhost:${port}/b`,
      text: "there",
    });
  });

  it("reads five megabytes of a text, and says that there is more", async () => {
    const data = await fetchAnswer({ type: "text/plain", body: "x".repeat(6 * 1024 * 1024) });
    expect(data.text.length).toBe(5 * 1024 * 1024);
    expect(data.note).toBe("Only the first 5 MB were read; the rest is missing.");
  });

  // 003:156
  it("shows 200 KB of the text, not of the HTML, and keeps the whole", async () => {
    const page = `<title>Long</title><p>${"word ".repeat(60 * 1024)}</p><!--${"x".repeat(99)}-->`;
    const computer = createMemoryComputer();
    const { net } = answering({ body: page, contentType: "text/html" });
    const { call, run } = openSession({ ...computer, openNet: () => net });
    const cut = await call("web_fetch", { url: "https://a.example/" });
    expect(cut).toMatchObject({
      data: { text: "word ".repeat(40 * 1024) },
      metadata: { truncated: true, output_path: expect.any(String) },
    });
    const rest = { path: cut.metadata.output_path ?? "", byte_offset: 200 * 1024, byte_limit: 10 };
    expect(await run("read", rest)).toMatchObject({ content: "word word " });
  });

  it("does not read a PDF of which only the beginning came", async () => {
    const body = Buffer.concat([makePdf([["Hello"]]), Buffer.alloc(20 * 1024 * 1024)]);
    await expect(fetchAnswer({ type: "application/pdf", body })).rejects.toMatchObject({
      code: "too-large",
    });
  });

  it("keeps to the whole time that it is given", async () => {
    const { port } = await startWebServer((_, response) => {
      const drip = setInterval(() => response.write("."), 10);
      response.once("close", () => clearInterval(drip));
    });
    const runtime = openWebRuntime(webFetch, [`localhost:${port}`]);
    const end = webFetch.execute({ url: `http://localhost:${port}/`, timeout_ms: 200 }, runtime);
    await expect(end).rejects.toMatchObject({ code: "timeout" });
  });

  it.each([
    ["http://localhost:1/", "out-of-scope"],
    ["http://169.254.169.254/latest/", "out-of-scope"],
    ["http://[::ffff:127.0.0.1]:1/", "out-of-scope"],
    ["file:///etc/passwd", "invalid-arguments"],
    ["example.com", "invalid-arguments"],
    ["https://root:hunter2@example.com/", "invalid-arguments"],
  ])("refuses %s", async (url, code) => {
    const error = await webFetch
      .execute({ url }, openWebRuntime(webFetch, []))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain("hunter2");
  });

  it.each([
    ["https://Example.COM/x", "example.com", 443],
    ["https://example.com.:8443/", "example.com", 8443],
    ["http://0x7f.1/", "127.0.0.1", 80],
    ["http://[::1]:80/", "::1", 80],
    ["http://user:pw@b\u00fccher.example/", "xn--bcher-kva.example", 80],
  ])("names the host of %s as rules know it, and the port", (url, key, port) => {
    expect(webFetch.execution?.resourceKeys?.({ url })).toEqual([
      { type: "host", key, mode: "read", port },
    ]);
  });

  it("names no host where there is none", () => {
    for (const url of ["", "no url", "file:///etc/passwd"]) {
      expect(webFetch.execution?.resourceKeys?.({ url })).toEqual([]);
    }
  });

  it("lets a host convert pages elsewhere", async () => {
    const seen: string[] = [];
    const tool = createWebFetch({
      convert: async ({ url, contentType, body, isTruncated }) => {
        seen.push(`${url} ${contentType} ${body.length} ${isTruncated}`);
        return { title: "T", text: "converted", contentType: "x/y", notes: ["Elsewhere."] };
      },
    });
    const data = await tool.execute({ url: "https://a.example/" }, answering({ body: "abc" }));
    expect(data).toEqual({
      url: "https://a.example/",
      status: 200,
      title: "T",
      content_type: "x/y",
      text: "converted",
      note: "Elsewhere.",
    });
    expect(seen).toEqual(["https://a.example/ text/plain 3 false"]);
  });
});

function answering(
  answer: { body: string; contentType?: string } & Partial<Pick<NetResponse, "status">>,
) {
  const net: Net = {
    fetch: async ({ url }) => ({
      url,
      status: answer.status ?? 200,
      headers: { "content-type": answer.contentType ?? "text/plain" },
      body: new TextEncoder().encode(answer.body),
      truncated: false,
    }),
  };
  return createTestRuntime({ net });
}

describeToolContract(webFetch, [
  {
    name: "a text",
    arguments: { url: "https://example.com/a" },
    runtime: () => answering({ body: "words" }),
    expect: { data: { text: "words", status: 200, content_type: "text/plain" } },
  },
  {
    name: "a page",
    arguments: { url: "https://example.com/a", timeout_ms: 5_000 },
    runtime: () => answering({ body: "<title>T</title><p>words", contentType: "text/html" }),
    expect: { data: { title: "T", text: "words" } },
  },
  {
    name: "an image",
    arguments: { url: "https://example.com/a.png" },
    runtime: () => answering({ body: "x", contentType: "image/png" }),
    expect: { error: "binary" },
  },
  { name: "no net", arguments: { url: "https://example.com/" }, expect: { error: "unavailable" } },
  { name: "no URL", arguments: {}, expect: { error: "invalid-arguments" } },
  {
    name: "no time",
    arguments: { url: "https://example.com/", timeout_ms: 0 },
    expect: { error: "invalid-arguments" },
  },
]);
