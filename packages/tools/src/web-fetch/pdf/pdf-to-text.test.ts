import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemblePdf, makeLaughingPdf, makePdf, pdfStream } from "../../test-support/make-pdf.ts";
import { pdfToText } from "./pdf-to-text.ts";

const never = new AbortController().signal;

describe("pdfToText", () => {
  it("reads the lines of every page, and the title", async () => {
    const pdf = makePdf([["Hello", "World"], ["Second page"]], "A title");
    expect(await pdfToText(pdf, never)).toEqual({
      title: "A title",
      text: "Hello\nWorld\n\nSecond page",
      pages: 2,
      pagesRead: 2,
    });
  });

  it("leaves the bytes that it was given as they are", async () => {
    const pdf = makePdf([["Hello"]]);
    const before = pdf.slice();
    await pdfToText(pdf, never);
    expect(pdf).toEqual(before);
  });

  it("finds no text where there is none", async () => {
    expect(await pdfToText(makePdf([[]]), never)).toMatchObject({ text: "", pages: 1 });
  });

  it.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["words", new TextEncoder().encode("%PDF-1.4 and nothing more")],
    ["a catalog without pages", assemblePdf(["<< /Type /Catalog >>"])],
    ["half a file", makePdf([["Hello"]]).subarray(0, 60)],
  ])("says of %s that it can't be read", async (_, bytes) => {
    await expect(pdfToText(bytes, never)).rejects.toMatchObject({ code: "failed" });
  });

  it("says of a PDF with a password that it has one", async () => {
    const key = `<${"00".repeat(32)}>`;
    const pdf = assemblePdf(
      [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [] /Count 0 >>",
        `<< /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`,
      ],
      `/Encrypt 3 0 R /ID [${key} ${key}]`,
    );
    await expect(pdfToText(pdf, never)).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("password"),
    });
  });

  it("stops with the call, also in the middle of a page without end", async () => {
    const controller = new AbortController();
    // The timer can fire only if others get their turn meanwhile.
    setTimeout(() => controller.abort(), 300);
    const { text, pagesRead } = await pdfToText(makeLaughingPdf(12), controller.signal);
    expect(text).toMatch(/^lol/u);
    expect(pagesRead).toBe(1);
  });

  it("is not caught by pages that lead to themselves", async () => {
    const pdf = assemblePdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>",
    ]);
    await expect(pdfToText(pdf, never)).rejects.toMatchObject({ code: "failed" });
  });

  it("ends with a text or a refusal, whatever it is given", async () => {
    const good = makePdf([["Hello", "World"]], "T");
    const change = fc.record({
      place: fc.nat({ max: good.length - 1 }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const bad = good.slice();
        for (const { place, bytes } of changes) bad.set(bytes.slice(0, bad.length - place), place);
        try {
          expect(typeof (await pdfToText(bad, never)).text).toBe("string");
        } catch (error) {
          expect(error).toMatchObject({ code: "failed" });
        }
      }),
      { numRuns: 100 },
    );
  });

  it("reads a stream that is not compressed", async () => {
    const pdf = assemblePdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
      pdfStream("BT /F 9 Tf (plain) Tj ET"),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    ]);
    expect((await pdfToText(pdf, never)).text).toBe("plain");
  });
});
