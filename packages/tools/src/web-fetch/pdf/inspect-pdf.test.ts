import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemblePdf, makePdf, pdfStream } from "../../test-support/make-pdf.ts";
import { inspectPdf } from "./inspect-pdf.ts";

const deflated = (content: string | Uint8Array): string =>
  pdfStream(deflateSync(content).toString("latin1"), "/Filter /FlateDecode");
const ranges = (list: string): string => `begincmap 1 beginbfrange ${list} endbfrange endcmap`;

// In quadratic time, inputs of millions of characters would take hours and time out.
const inspectText = (text: string): Promise<void> => inspectPdf(new TextEncoder().encode(text));

describe("inspectPdf", () => {
  it.each<[string, Uint8Array]>([
    ["an ordinary one", makePdf([["Hello"], ["World"]])],
    ["one with tables of characters", assemblePdf([deflated(ranges("<0000> <FFFF> <0000>"))])],
    ["one with widths", assemblePdf(["<< /W [0 65535 500 3 [500 600]] >>"])],
    ["one with many objects", assemblePdf(["<< /Kids [1234567 0 R 99999999 0 R] >>"])],
    ["one that is signed", assemblePdf(["<< /ByteRange [0 12345678 23456789 100] >>"])],
    ["one made for the web", assemblePdf(["<< /Linearized 1 /H [ 12345678 100 ] >>"])],
    ["one whose streams are broken", assemblePdf([pdfStream("\x78\x9cbroken")])],
    ["none", new Uint8Array(100)],
  ])("accepts %s", async (_, pdf) => {
    await expect(inspectPdf(pdf)).resolves.toBeUndefined();
  });

  it.each<[string, () => Uint8Array]>([
    ["a stream that holds too much", () => assemblePdf([deflated(Buffer.alloc(200_000_000))])],
    [
      "a stream in a stream that holds too much",
      () => assemblePdf([deflated(deflateSync(Buffer.alloc(200_000_000)))]),
    ],
    ["characters without end", () => assemblePdf([pdfStream(ranges("<0> <00FFFFFE> <41>"))])],
    ["the same in a stream", () => assemblePdf([deflated(ranges("<0> <00FFFFFE> <41>"))])],
    ["many times as many", () => assemblePdf([deflated(ranges("<0> <FFFF> <41>\n".repeat(20)))])],
    ["characters in disguise", () => assemblePdf([deflated(ranges("(\\0) (\\377) <41>"))])],
    ["widths without end", () => assemblePdf(["<< /W [0 2000000000 500] >>"])],
    ["the same elsewhere", () => assemblePdf(["<< /W 2 0 R >>", "[0 2000000000 500]"])],
    ["the same in a stream", () => assemblePdf([deflated("1 0 << /W [0 2000000000 500] >>")])],
    ["more streams than pages", () => assemblePdf(Array(50_001).fill(pdfStream("")))],
  ])("refuses %s", async (_, make) => {
    await expect(inspectPdf(make())).rejects.toMatchObject({ code: "failed" });
  });

  it("accepts or refuses any input, and never crashes", async () => {
    const piece = fc.oneof(
      fc.constantFrom("stream\n", "endstream", "[", "]", "beginbfrange", "<00>", "/W", "12345678"),
      fc.string({ unit: "binary", maxLength: 10 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        await inspectPdf(new TextEncoder().encode(pieces.join(""))).catch((error: unknown) => {
          expect(error).toMatchObject({ code: "failed" });
        });
      }),
    );
  });

  it.each([
    ["brackets", "[".repeat(5_000_000)],
    ["numbers", `[${"123456 ".repeat(1_000_000)}`],
    ["streams that do not end", "stream\n".repeat(1_000_000)],
    ["references", `[${"1 0 R ".repeat(1_000_000)}`],
    ["blanks", `[${" ".repeat(5_000_000)}`],
    ["names before brackets", `/H${" ".repeat(3_000_000)}[`],
  ])("accepts millions of %s", async (_, text) => {
    await expect(inspectText(text)).resolves.toBeUndefined();
  });

  it.each([
    ["tables that do not end", `stream\n${"beginbfrange ".repeat(300_000)}`],
    ["digits", `[${"1".repeat(5_000_000)}`],
  ])("refuses millions of %s", async (_, text) => {
    await expect(inspectText(text)).rejects.toMatchObject({ code: "failed" });
  });
});
