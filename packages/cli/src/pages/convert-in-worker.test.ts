import { describe, expect, it } from "vitest";
import { convertInWorker } from "./convert-in-worker.ts";

const neverAborted = new AbortController().signal;

function page(contentType: string, text: string) {
  const body = new TextEncoder().encode(text);
  return { url: "https://example.com/", contentType, body, isTruncated: false };
}

describe("converting pages apart", () => {
  it("makes text of a large page as of a small one", async () => {
    const html = (paragraphs: number): string =>
      `<html><body><article><h1>Title</h1>${"<p>Some words that matter.</p>".repeat(paragraphs)}</article></body></html>`;
    const small = await convertInWorker(page("text/html", html(10)), neverAborted);
    const large = await convertInWorker(page("text/html", html(10_000)), neverAborted);
    expect(small.text).toContain("Some words that matter.");
    expect(large.text.length).toBeGreaterThan(small.text.length);
    expect(large.contentType).toBe("text/html");
  });

  it("says what is wrong with a page as its reader does", async () => {
    await expect(
      convertInWorker(page("application/pdf", "%PDF-1.7 and nothing"), neverAborted),
    ).rejects.toMatchObject({ name: "ToolError" });
  });

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    const converting = convertInWorker(
      page("text/html", "<p>words</p>".repeat(50_000)),
      controller.signal,
    );
    controller.abort(new Error("enough"));
    await expect(converting).rejects.toThrow("enough");
  });
});
