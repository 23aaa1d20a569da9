import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { describe, expect, it } from "vitest";
import { startWebServer } from "../test-support/local-server.ts";
import { openNet } from "../test-support/open-net.ts";

const text = "Haft ".repeat(10_000);

const codings: [string, string, (data: Uint8Array) => Uint8Array][] = [
  ["gzip", "gzip", gzipSync],
  ["gzip by its old name", "x-gzip", gzipSync],
  ["gzip in capitals", "GZip", gzipSync],
  ["deflate", "deflate", deflateSync],
  ["bare deflate", "deflate", deflateRawSync],
  ["brotli", "br", brotliCompressSync],
  ["zstd", "zstd", zstdCompressSync],
  ["two layers", "gzip, br", (data) => brotliCompressSync(gzipSync(data))],
  ["nothing", "identity", (data) => data],
];

async function fetchBody(coding: string, body: Uint8Array, maxBytes?: number) {
  const { origin, port } = await startWebServer((_, response) => {
    response.writeHead(200, { "Content-Encoding": coding }).end(body);
  });
  const net = openNet({ allow: [`127.0.0.1:${port}`] });
  return net.fetch({ url: origin, ...(maxBytes !== undefined && { maxBytes }) });
}

describe.each(codings)("a body in %s", (_, coding, compress) => {
  it("is taken out of its compression", async () => {
    const { body, truncated } = await fetchBody(coding, compress(Buffer.from(text)));
    expect(Buffer.compare(body, Buffer.from(text))).toBe(0);
    expect(truncated).toBe(false);
  });

  it("is cut where it exceeds the limit, and only there", async () => {
    const packed = compress(Buffer.from(text));
    const cut = await fetchBody(coding, packed, text.length - 1);
    expect(cut.truncated).toBe(true);
    expect(cut.body.length).toBe(text.length - 1);
    expect((await fetchBody(coding, packed, text.length)).truncated).toBe(false);
  });

  it("may be empty", async () => {
    expect((await fetchBody(coding, compress(new Uint8Array()))).body.length).toBe(0);
  });
});

describe("a body that would fill the memory", () => {
  // 200 MB in some kilobytes, of which no more than asked for is ever made.
  const zeros = new Uint8Array(200 * 1024 * 1024);

  it.each<[string, () => Uint8Array]>([
    ["gzip", () => gzipSync(zeros)],
    ["br", () => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["zstd", () => zstdCompressSync(zeros)],
    ["gzip, gzip", () => gzipSync(gzipSync(zeros))],
  ])("in %s stops at the limit", async (coding, make) => {
    const { body, truncated } = await fetchBody(coding, make(), 1_000_000);
    expect({ truncated, length: body.length }).toEqual({ truncated: true, length: 1_000_000 });
  });

  it("without end stops at the limit", async () => {
    const { origin, port } = await startWebServer((_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const push = (): void => {
        while (!response.destroyed && response.write(chunk));
        response.once("drain", push);
      };
      push();
    });
    const net = openNet({ allow: [`127.0.0.1:${port}`] });
    const { body, truncated } = await net.fetch({ url: origin, maxBytes: 5_000_000 });
    expect({ truncated, length: body.length }).toEqual({ truncated: true, length: 5_000_000 });
  });

  it("of compressed data that holds nothing is not read to its end", async () => {
    const nothing = gzipSync(new Uint8Array());
    const { body, truncated } = await fetchBody(
      "gzip",
      Buffer.concat(Array(40_000).fill(nothing)),
      10,
    );
    expect({ truncated, length: body.length }).toEqual({ truncated: true, length: 0 });
  });

  it("in many layers is refused", async () => {
    await expect(fetchBody("gzip, gzip, gzip", gzipSync(new Uint8Array()))).rejects.toMatchObject({
      code: "failed",
    });
  });

  it("is cut to ten megabytes by default", async () => {
    const { body, truncated } = await fetchBody("gzip", gzipSync(zeros));
    expect({ truncated, length: body.length }).toEqual({ truncated: true, length: 10 * 1024 ** 2 });
  });
});

describe("a body that lacks its last bytes", () => {
  it.each(["gzip", "deflate"])("in %s gives what is there", async (coding) => {
    const packed = coding === "gzip" ? gzipSync(text) : deflateSync(text);
    const { body } = await fetchBody(coding, packed.subarray(0, -4));
    expect(Buffer.compare(body, Buffer.from(text))).toBe(0);
  });
});
