import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPlainText, toWords, unescapeJson } from "./words.ts";

describe("toWords", () => {
  it("takes letters and digits, whatever their case", () => {
    expect(toWords("Hello, WORLD-42! user_id=a1b2")).toEqual([
      "hello",
      "world",
      "42",
      "user",
      "id",
      "a1b2",
    ]);
  });

  it("knows letters of every script", () => {
    expect(toWords("Größe МОСКВА naïve")).toEqual(["größe", "москва", "naïve"]);
    expect(toWords("cafe\u0301")).toEqual(toWords("café"));
    expect(toWords("ＦＵＬＬ")).toEqual(["full"]);
  });

  it("takes every character of a script without spaces, and every symbol, as a word", () => {
    expect(toWords("東京です🚀🚀ok")).toEqual(["東", "京", "で", "す", "🚀", "🚀", "ok"]);
  });

  it("finds none in punctuation, zero bytes and broken characters", () => {
    expect(toWords("")).toEqual([]);
    expect(toWords('"*^-()\0 \ud800 \ufffd …')).toEqual([]);
  });

  it("cuts long words and long texts", () => {
    expect(toWords("x".repeat(501))).toEqual(["x".repeat(500)]);
    expect(toWords("é".repeat(501))).toEqual(["é".repeat(500)]);
    expect(toWords("a ".repeat(100_000))).toHaveLength(32_768);
  });
});

describe("toPlainText", () => {
  it("has the same words, told apart by ASCII alone", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const long = fc.string({
      unit: fc.constantFrom("a", "B", "é", " "),
      minLength: 600,
      maxLength: 700,
    });
    fc.assert(
      fc.property(fc.oneof(text, long), (value) => {
        const plain = toPlainText(value).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
        expect(plain.match(/[a-z0-9\u0080-\uffff]+/g) ?? []).toEqual(toWords(value));
      }),
      { numRuns: 60 },
    );
  });
});

describe("unescapeJson", () => {
  it("reads escapes of JSON, and only of JSON", () => {
    const said = { text: 'one\ntwo "three"\\four' };
    expect(toWords(unescapeJson(JSON.stringify(said)))).toEqual([
      "text",
      "one",
      "two",
      "three",
      "four",
    ]);
    expect(toWords(unescapeJson('["\\u0041bc \\\\u0041"]'))).toEqual(["abc", "u0041"]);
    expect(unescapeJson("[note] C:\\new")).toBe("[note] C:\\new");
  });
});
