import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simplifyHtml } from "./simplify-html.ts";

const body = (source: string): string =>
  /<body>(.*)<\/body>/su.exec(simplifyHtml(source).html)?.[1] ?? "";

describe("simplifyHtml", () => {
  it.each([
    ["scripts", "a<script>if (1<2) document.write('<b>')</script>b", "ab"],
    ["scripts in capitals, closed with blanks", "a<SCRIPT>x</Script >b", "ab"],
    ["scripts that never end", "a<script>b", "a"],
    ["styles", "a<style>p{}</style>b", "ab"],
    ["comments", "a<!-- <b>x</b> -->b<!---->c<!-- d", "abc"],
    ["declarations", "<!doctype html><?xml version='1'?>a<![CDATA[x]]>b", "ab"],
    ["frames", "a<iframe src=x>y</iframe>b", "ab"],
    ["drawings", "a<svg><svg></svg><text>x</text></svg>b", "ab"],
    ["controls", "a<select><option>x</select><button>y</button><input value=z>b", "ab"],
    ["what is hidden", "a<div hidden>x<div>y</div>z</div>b", "ab"],
    ["what is hidden by style", 'a<p style="color:red; DISPLAY : none">x</p>b', "ab"],
    ["what has no size", '<span style="font-size:0px">x</span><i style="opacity:0">y</i>b', "b"],
    ["what is hidden from who hears the page", 'a<i aria-hidden="true">x</i>b', "ab"],
    ["dialogs that are not open", "a<dialog>x</dialog>b", "ab"],
    ["hidden paragraphs up to the next", "<p hidden>x<p>b", "<p>b</p>"],
    ["hidden items up to the next", "<ul><li hidden>x<li>b</ul>", "<ul><li>b</li></ul>"],
    ["hidden elements up to the end of what they are in", "<p><i hidden>x</p>b", "b"],
    [
      "what has nothing inside",
      "<p></p><div><i></i></div>a<table><td></td></table>",
      "a<table><td></td></table>",
    ],
    ["hidden images", "a<img hidden src=x alt=y>b", "ab"],
  ])("leaves out %s", (_, source, expected) => {
    expect(body(source)).toBe(expected);
  });

  it.each([
    ["text", "a &amp; b", "a &amp; b"],
    ["brackets that begin nothing", "1 < 2 <3 <", "1 &lt; 2 &lt;3 &lt;"],
    ["tags in lower case", "<P>a</P>", "<p>a</p>"],
    ["names that are none as something harmless", "<a\u00e4>x</a\u00e4>", "<span>x</span>"],
    [
      "few attributes",
      '<a href="x" onclick="y" data-z=1 class=c>l</a>',
      '<a href="x" class="c">l</a>',
    ],
    ["values without quotes", "<a href=/x?a=b&c>l</a>", '<a href="/x?a=b&c">l</a>'],
    ["quotes in values", "<a href='a\"b'>l</a>", '<a href="a&quot;b">l</a>'],
    ["the first of two", '<a href="x" href="y">l</a>', '<a href="x">l</a>'],
    ["brackets in values", '<a href="a>b">l</a>', '<a href="a>b">l</a>'],
    ["open dialogs", "<dialog open>x</dialog>", "<dialog>x</dialog>"],
    ["pages that hide themselves until a script is there", '<body style="display:none">x', "x"],
    ["line breaks of listings", "<pre>a<br>b</pre>", "<pre>a\nb</pre>"],
    ["what is not closed", "<div><p>a<div>b", "<div><p>a</p><div>b</div></div>"],
    [
      "items",
      "<ul><li>a<ul><li>b</ul><li>c</ul>",
      "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    ],
    [
      "cells",
      "<table><tr><td>a<td><b>c<tr><td>d</table>e",
      "<table><tr><td>a</td><td><b>c</b></td></tr><tr><td>d</td></tr></table>e",
    ],
    ["what is closed and never was open", "a</div></p>b", "ab"],
    ["what is closed crosswise", "<b><i>a</b>b</i>", "<b><i>a</i></b>b"],
    ["short blanks", "<pre>a\n\n\n  b</pre>", "<pre>a\n\n\n  b</pre>"],
  ])("keeps %s", (_, source, expected) => {
    expect(body(source)).toBe(expected);
  });

  it("keeps the title and where links start, once", () => {
    const { html } = simplifyHtml(
      "<head><title>A <b> &amp; B</title><base href=/x/><base href=/y/></head><title>C</title>",
    );
    expect(html).toContain('<head><title>A &lt;b> &amp; B</title><base href="/x/">');
  });

  it("keeps the text of what is nested too deep", () => {
    const { html, elements } = simplifyHtml(
      `${"<div>".repeat(100_000)}deep${"</div>".repeat(100_000)}after`,
    );
    expect(elements).toBe(64);
    expect(html).toContain("deep");
    expect(html).toContain("after</body>");
    const quotes = simplifyHtml(`${"<blockquote>".repeat(500)}deep`);
    expect(quotes.html.match(/<blockquote>/gu)).toHaveLength(12);
  });

  it("stops where there is too much of everything, and says so", () => {
    const many = simplifyHtml("<b>x</b>".repeat(100_000));
    expect(many.isCut).toBe(true);
    expect(many.elements).toBeLessThanOrEqual(25_000);
    expect(simplifyHtml("x".repeat(5_000) + "<p>".repeat(3)).isCut).toBe(false);
    const long = simplifyHtml(`<p>${"x ".repeat(2_000_000)}`);
    expect(long.isCut).toBe(true);
    expect(long.html.length).toBeLessThan(2_001_000);
  });

  it.each<[string, string]>([
    ["attributes without end", `<p ${"a=1 ".repeat(1_000_000)}>x`],
    [
      "attributes of other names",
      `<p ${Array.from({ length: 300_000 }, (_, i) => `a${i}`).join(" ")}>x`,
    ],
    ["a value without end", `<p a="${"x".repeat(5_000_000)}`],
    ["quotes that are not closed", "<p a='<p a=\"".repeat(400_000)],
    ["brackets", "<".repeat(5_000_000)],
    ["ends", "</b>".repeat(1_200_000)],
    ["comments that are not closed", "<!--".repeat(1_200_000)],
    ["declarations", "<!".repeat(2_500_000)],
    ["scripts", "<script>".repeat(600_000)],
    ["hidden elements", "<i hidden>".repeat(500_000)],
    ["hidden and closed crosswise", "<i hidden></b><b>".repeat(300_000)],
    ["blanks", `<pre>${"\n".repeat(31)}x`.repeat(150_000)],
    ["only blanks", "\n ".repeat(2_500_000)],
    ["names that are not ended", `<${"a".repeat(5_000_000)}`],
    ["open tags", "<div><p><li><td>".repeat(300_000)],
  ])("handles %s in time", (_, source) => {
    expect(simplifyHtml(source).html.length).toBeLessThan(2_500_000);
  });

  it("writes what is balanced and has no script, whatever it is given", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<p>",
        "</p>",
        "<b",
        " a=",
        '"',
        "'",
        ">",
        "<li hidden>",
        "</ul>",
        "<script>",
      ),
      fc.constantFrom(
        "<ul>",
        "<!--",
        "-->",
        "<td>",
        "<br>",
        "<style",
        "</",
        "/>",
        "<title>",
        "&lt;",
      ),
      fc.constantFrom("<constructor>", "</constructor>", "<__proto__>", "<li>", "<body>", "<svg>"),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { html } = simplifyHtml(pieces.join(""));
        expect(html).not.toMatch(/<(?:script|style|iframe)[\s>]/iu);
        const stack: string[] = [];
        const tags = html.matchAll(/<(\/?)([a-z][a-z0-9-]*)(?:\s[a-z]+="[^"]*")*>/gu);
        for (const [, slash, name] of tags) {
          if (slash === "/") expect(stack.pop()).toBe(name);
          else if (!["br", "hr", "img", "base"].includes(name ?? "")) stack.push(name ?? "");
        }
        expect(stack).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
