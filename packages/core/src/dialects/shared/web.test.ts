import { describe, expect, it } from "vitest";
import { describePage, listResults } from "./web.ts";

describe("describePage", () => {
  it("has the title, where it is, the text, and what else to know", () => {
    const page = { url: "https://a.io/", status: 200, text: "Hello." };
    expect(describePage(page)).toBe("URL: https://a.io/\n\nHello.");
    expect(
      describePage({ ...page, final_url: "https://b.io/", title: "B", status: 404, note: "Gone." }),
    ).toBe("Title: B\nURL: https://b.io/\nStatus: 404\n\nHello.\n\n[Gone.]");
  });
});

describe("listResults", () => {
  it("numbers what was found, or says that nothing was", () => {
    const results = [{ title: "T", url: "https://a.io", snippet: "S" }];
    expect(listResults("q", results)).toBe('Results for "q":\n\n1. T\n   https://a.io\n   S');
    expect(listResults("q", [])).toBe('No results for "q".');
  });
});
