import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePage, type PageEncoding } from "./decode-page.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const unknown: PageEncoding = { charset: undefined, isMarkup: true, isWhole: true };

describe("decodePage", () => {
  it.each<[string, [Uint8Array, Partial<PageEncoding>], string]>([
    ["UTF-8 without a word", [encode("gr\u00fcn"), {}], "gr\u00fcn"],
    ["UTF-8 with a mark", [bytes("\xef\xbb\xbfgr\xc3\xbcn"), {}], "gr\u00fcn"],
    ["a mark against the server", [bytes("\xef\xbb\xbf\xc3\xbc"), { charset: "latin1" }], "\u00fc"],
    ["what the server says", [bytes("gr\xfcn"), { charset: "ISO-8859-1" }], "gr\u00fcn"],
    [
      "the server against the page",
      [bytes('<meta charset="utf-8">\xe1'), { charset: "windows-1253" }],
      '<meta charset="utf-8">\u03b1',
    ],
    [
      "what the page says",
      [bytes('<meta charset="windows-1253">\xca\xe1'), {}],
      '<meta charset="windows-1253">\u039a\u03b1',
    ],
    [
      "what the page says the old way",
      [bytes("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>\xc1"), {}],
      "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>\u0430",
    ],
    [
      "what XML says",
      [bytes('<?xml version="1.0" encoding="ISO-8859-1"?>\xe9'), {}],
      '<?xml version="1.0" encoding="ISO-8859-1"?>\u00e9',
    ],
    [
      "nothing of what a text says",
      [bytes('<meta charset="windows-1253"> caf\xe9'), { isMarkup: false }],
      '<meta charset="windows-1253"> caf\u00e9',
    ],
    ["unknown encodings", [encode("gr\u00fcn"), { charset: "x-mine" }], "gr\u00fcn"],
    [
      "a page that says UTF-16 and is not",
      [encode("<meta charset=utf-16>\u00fc"), {}],
      "<meta charset=utf-16>\u00fc",
    ],
    ["UTF-16 with a mark", [new Uint8Array([0xff, 0xfe, 0x41, 0, 0xfc, 0]), {}], "A\u00fc"],
    ["broken characters", [bytes("a\xffb"), { charset: "utf-8" }], "a\ufffdb"],
    ["Shift JIS", [bytes("\x93\xfa\x96{"), { charset: "Shift_JIS" }], "\u65e5\u672c"],
  ])("reads %s", (_, [body, encoding], text) => {
    expect(decodePage(body, { ...unknown, ...encoding })).toBe(text);
  });

  it("guesses an encoding that is not declared", () => {
    const words =
      "\u042d\u0442\u043e \u043f\u0440\u043e\u0441\u0442\u043e\u0439 \u0442\u0435\u043a\u0441\u0442 \u043d\u0430 \u0440\u0443\u0441\u0441\u043a\u043e\u043c \u044f\u0437\u044b\u043a\u0435. ";
    const body = new Uint8Array(
      [...words.repeat(20)].map((letter) => {
        const code = letter.charCodeAt(0);
        // As windows-1251 has it.
        return code < 0x80 ? code : code - 0x0350;
      }),
    );
    expect(decodePage(body, unknown)).toBe(words.repeat(20));
  });

  it.each([
    ["zeros", { charset: "utf-8" }],
    ["zeros without a declared encoding", {}],
  ])("does not treat %s as text", (_, encoding) => {
    const body = new Uint8Array([1, 0, 2, 0, 0, 0, 3, 0, 0]);
    expect(() => decodePage(body, { ...unknown, ...encoding })).toThrow();
  });

  it("ends with a text or a refusal, whatever it is given", () => {
    const any = fc.record({
      charset: fc.option(fc.constantFrom("utf-8", "gbk", "x", "utf-16be"), { nil: undefined }),
      isMarkup: fc.boolean(),
      isWhole: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), any, (body, encoding) => {
        try {
          expect(typeof decodePage(body, encoding)).toBe("string");
        } catch (error) {
          expect(error).toMatchObject({ code: "binary" });
        }
      }),
    );
  });
});
