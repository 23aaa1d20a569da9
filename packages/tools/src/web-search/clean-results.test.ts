import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanResults } from "./clean-results.ts";

const url = "https://a.example/";
const clean = (snippet: string): string | undefined =>
  cleanResults([{ title: "t", url, snippet }], 9)[0]?.snippet;

describe("cleanResults", () => {
  it.each([
    ["marks of what was searched for", "a <strong>b</strong> <em class=x>c</em>", "a b c"],
    [
      "entities",
      "a &amp; b &lt;c&gt; &#39;d&#x27; &quot;e&quot; &nope;",
      "a & b <c> 'd' \"e\" &nope;",
    ],
    ["brackets of a text", "x < y && Array<string> <T>", "x < y && Array<string> <T>"],
    ["invisible characters", "a\u202e\u200b\u001b[1m &#8238;b&#x200b;\u{e0041}", "a[1m b"],
    ["line breaks", "a\n\n b", "a b"],
    ["numbers that are no characters", "&#0; &#x110000; &#xd800;", "&#0; &#x110000; \ufffd"],
  ])("of %s", (_, snippet, expected) => {
    expect(clean(snippet)).toBe(expected);
  });

  it("shortens what is long", () => {
    const [result] = cleanResults(
      [{ title: "x".repeat(9_999), url, snippet: "y".repeat(99_999) }],
      1,
    );
    expect(result?.title.length).toBe(300);
    expect(result?.snippet.length).toBe(1_000);
    expect(result?.snippet).toMatch(/y\u2026$/u);
  });

  it("keeps pages of the web, each once, as many as wanted", () => {
    const urls = [
      ...["https://a.example/", "https://a.example", "http://b.example/x", "ftp://c.example/"],
      ...["javascript:alert(1)", "data:text/html,x", "/relative", "", "https://u:pw@d.example/"],
      ...["https://e.example/", "https://f.example/"],
    ];
    const found = urls.map((each) => ({ title: "", url: each, snippet: "" }));
    expect(cleanResults(found, 3)).toEqual([
      { title: "a.example", url: "https://a.example/", snippet: "" },
      { title: "b.example", url: "http://b.example/x", snippet: "" },
      { title: "e.example", url: "https://e.example/", snippet: "" },
    ]);
  });

  it("removes invisible characters, for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 0x10ffff }), (text, code) => {
        const shown = clean(`${text}&#${code};&#x${code.toString(16)};`) ?? "";
        expect(shown).not.toMatch(
          /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b]|[\u{e0000}-\u{e007f}]/u,
        );
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });
});
