import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCodec } from "./find-codec.ts";
import { openText, type Splice, spliceText } from "./text-document.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// Written by other programs than ours.
const samples: readonly (readonly [encoding: string, text: string, base64: string])[] = [
  [
    "shift_jis",
    "// この関数は、与えられた文字列を解析して結果を返します。\nconst a = 1; // 戻り値\n",
    "Ly8ggrGCzIrWkJSCzYFBl16CpoLnguqCvZW2jpqX8YLwifCQzYK1gsSMi4nKgvCV1IK1gtyCt4FCCmNvbnN0IGEgPSAxOyAvLyCW34LokmwK",
  ],
  [
    "euc-jp",
    "// この関数は、与えられた文字列を解析して結果を返します。\nconst a = 1; // 戻り値\n",
    "Ly8gpLOkzrTYv/Skz6Gizb+kqKTppOykv8q4u/rO86TysvLAz6S3pMa367LMpPLK1qS3pN6kuaGjCmNvbnN0IGEgPSAxOyAvLyDM4aTqw80K",
  ],
  [
    "iso-2022-jp",
    "// この関数は、与えられた文字列を解析して結果を返します。\nconst a = 1; // 戻り値\n",
    "Ly8gGyRCJDMkTjRYP3QkTyEiTT8kKCRpJGwkP0o4O3pOcyRyMnJATyQ3JEY3azJMJHJKViQ3JF4kOSEjGyhCCmNvbnN0IGEgPSAxOyAvLyAbJEJMYSRqQ00bKEIK",
  ],
  ["shift_jis", "print('こんにちは')\n", "cHJpbnQoJ4KxgvGCyYK/gs0nKQo="],
  ["euc-jp", "print('こんにちは')\n", "cHJpbnQoJ6SzpPOky6TBpM8nKQo="],
  [
    "gb18030",
    "// 这个函数用来解析给定的字符串，并返回结果。\nconst a = 1; // 返回值\n",
    "Ly8g1eK49rqvyv3Tw8C0veLO9rj4tqi1xNfWt/u0rqOssqK3tbvYveG5+6GjCmNvbnN0IGEgPSAxOyAvLyC3tbvY1rUK",
  ],
  ["gb18030", "print('你好，世界')\n", "cHJpbnQoJ8TjusOjrMrAvecnKQo="],
  [
    "big5",
    "// 這個函數用來解析給定的字串，並傳回結果。\nconst a = 1; // 傳回值\n",
    "Ly8gs2+t06jnvMalzqjTuNGqUrW5qXequqZypuqhQajDtsemXrWyqkehQwpjb25zdCBhID0gMTsgLy8gtsemXq3ICg==",
  ],
  ["big5", "print('你好，世界')\n", "cHJpbnQoJ6dBpm6hQaVArMknKQo="],
  [
    "euc-kr",
    "// 이 함수는 주어진 문자열을 분석하여 결과를 반환합니다.\nconst a = 1; // 반환값\n",
    "Ly8gwMwgx9S89rTCIMHWvu7B+CC5rsDav63AuyC60Lyux8+/qSCw4bD6uKYgud3Ir8fVtM+02S4KY29uc3QgYSA9IDE7IC8vILndyK+wqgo=",
  ],
  ["euc-kr", "print('안녕하세요')\n", "cHJpbnQoJ77Is+fHz7y8v+QnKQo="],
  [
    "windows-1251",
    "// Эта функция разбирает строку и возвращает результат.\nconst a = 'Привет';\n",
    "Ly8g3fLgIPTz7er26P8g8ODn4ejw4OXyIPHy8O7q8yDoIOLu5+Lw4Png5fIg8OXn8+v88uDyLgpjb25zdCBhID0gJ8/w6OLl8ic7Cg==",
  ],
  [
    "koi8-r",
    "// Эта функция разбирает строку и возвращает результат.\nconst a = 'Привет';\n",
    "Ly8g/NTBIMbVzsvDydEg0sHawsnSwcXUINPU0s/L1SDJINfP2tfSwd3BxdQg0sXa1czY1MHULgpjb25zdCBhID0gJ/DSydfF1Cc7Cg==",
  ],
  [
    "windows-1253",
    "// Αυτή η συνάρτηση αναλύει το κείμενο και επιστρέφει το αποτέλεσμα.\n",
    "Ly8gwfX03iDnIPP17dzx9Ofz5yDh7eHr/eXpIPTvIOrl3+zl7e8g6uHpIOXw6fP08d325ekg9O8g4fDv9N3r5fPs4S4K",
  ],
  [
    "windows-1252",
    "// Cette fonction vérifie la chaîne donnée après l'été.\nconst café = 'crème brûlée';\n",
    "Ly8gQ2V0dGUgZm9uY3Rpb24gdulyaWZpZSBsYSBjaGHubmUgZG9ubullIGFwcuhzIGwn6XTpLgpjb25zdCBjYWbpID0gJ2Ny6G1lIGJy+2zpZSc7Cg==",
  ],
  [
    "windows-1252",
    "// Prüft die Größe und gibt sie zurück.\nconst s = 'Müller', u = 'ÄÖÜ', v = 'ÄÖ';\n",
    "Ly8gUHL8ZnQgZGllIEdy9t9lIHVuZCBnaWJ0IHNpZSB6dXL8Y2suCmNvbnN0IHMgPSAnTfxsbGVyJywgdSA9ICfE1twnLCB2ID0gJ8TWJzsK",
  ],
  [
    "windows-1252",
    "// ¿Dónde está la función? Año, señal, mañana, ÑANDÚ\n",
    "Ly8gv0TzbmRlIGVzdOEgbGEgZnVuY2nzbj8gQfFvLCBzZfFhbCwgbWHxYW5hLCDRQU5E2go=",
  ],
  ["windows-1252", "const name = 'café';\n", "Y29uc3QgbmFtZSA9ICdjYWbpJzsK"],
  ["windows-1252", "const accents = /[ÀÉÈÊ]/;\n", "Y29uc3QgYWNjZW50cyA9IC9bwMnIyl0vOwo="],
  [
    "windows-1252",
    "/* Copyright © 2020 */\nint main() { return 0; }\n",
    "LyogQ29weXJpZ2h0IKkgMjAyMCAqLwppbnQgbWFpbigpIHsgcmV0dXJuIDA7IH0K",
  ],
  ["windows-1252", "5 € “quoted” – dash\n", "NSCAIJNxdW90ZWSUIJYgZGFzaAo="],
];

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64"));

describe("openText", () => {
  it.each(samples)("knows %s: %s", (encoding, text, base64) => {
    expect(openText(fromBase64(base64), "/w/a")).toMatchObject({ encoding, text });
  });

  it.each(samples)("edits %s and leaves all other bytes alone: %s", (encoding, text, base64) => {
    const old = fromBase64(base64);
    const [letters = "", ascii = ""] = [
      /[^\p{ASCII}]+/u.exec(text)?.[0],
      /\n|const|print/u.exec(text)?.[0],
    ];
    for (const [from, to] of [
      [letters, "abc"],
      [ascii, letters],
      [letters, letters + letters],
    ] as const) {
      const start = text.indexOf(from);
      const splices = [{ start, end: start + from.length, text: to }];
      const after = openText(old, "/w/a").splice(splices);
      expect(new TextDecoder(encoding).decode(after)).toBe(spliceText(text, splices));
      if (encoding === "iso-2022-jp") continue;
      const tail = text.length - start - from.length;
      expect(common(old, after).before).toBeGreaterThanOrEqual(start);
      expect(common(old, after).after).toBeGreaterThanOrEqual(tail);
    }
  });

  it.each<[string, number[], string]>([
    ["utf-8", [], "aé€😀"],
    ["utf-8", [0xef, 0xbb, 0xbf], "aé€😀"],
    ["utf-16le", [0xff, 0xfe], "aé€😀"],
    ["utf-16be", [0xfe, 0xff], "aé€😀"],
    ["utf-16le", [], "plain text\r\n€"],
    ["utf-16be", [], "plain text\r\n€"],
  ])("keeps the mark of %s %j", (encoding, mark, text) => {
    const body = findCodec(encoding).encode(text) as Uint8Array;
    const document = openText(bytes(...mark, ...body), "/w/a");
    expect(document).toMatchObject({ encoding, text });
    const after = document.splice([{ start: 0, end: 1, text: "ü" }]);
    const expected = findCodec(encoding).encode(`ü${text.slice(1)}`) as Uint8Array;
    expect([...after]).toEqual([...mark, ...expected]);
  });

  it.each<[string, Uint8Array]>([
    ["a NUL", bytes(0x61, 0, 0x62)],
    ["few units that could be UTF-16", bytes(0x61, 0, 0x62, 0)],
    ["a UTF-32 mark", bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ["control characters that are no UTF-8", bytes(1, 2, 3, 0xff, 0xfe, 4)],
    ["zeros on both sides", bytes(0x61, 0, 0, 0x61, 0x61, 0, 0, 0x61, 0x61, 0)],
  ])("refuses %s as binary", (_, content) => {
    expect(() => openText(content, "/w/a")).toThrow(
      expect.objectContaining({ code: "binary", absolutePath: "/w/a" }),
    );
  });

  it.each<[string, Uint8Array]>([
    ["UTF-8 with a broken place", bytes(...utf8("é è ê"), 0xe9, ...utf8(" ô"))],
    ["UTF-16 with half a pair", bytes(0xff, 0xfe, 0x3d, 0xd8, 0x61, 0)],
    ["UTF-16 with half a unit", bytes(0xff, 0xfe, 0x61, 0, 0x61)],
  ])("refuses %s, because it could not be kept", (_, content) => {
    expect(() => openText(content, "/w/a")).toThrow(expect.objectContaining({ code: "failed" }));
  });

  it("opens an empty file", () => {
    const document = openText(bytes(), "/w/a");
    expect(document).toMatchObject({ text: "", encoding: "utf-8" });
    expect(document.splice([{ start: 0, end: 0, text: "é" }])).toEqual(utf8("é"));
  });

  it("refuses what the encoding can't express, and says what it is", () => {
    const latin = openText(bytes(0x63, 0xe9), "/w/a");
    expect(() => latin.splice([{ start: 0, end: 1, text: "本" }])).toThrow(
      "Wrote nothing: /w/a is in windows-1252, which has no 本 (U+672C).",
    );
    for (const document of [latin, openText(utf8("a"), "/w/a")]) {
      expect(() => document.splice([{ start: 0, end: 1, text: "a\ud83d" }])).toThrow(/U\+D83D/u);
    }
  });

  it("writes the long forms of gb18030 and the rare ones of euc-jp", () => {
    for (const [name, text] of [
      ["gb18030", "ä😀\u0080"],
      ["euc-jp", "鷗﨑ｱ"],
    ] as const) {
      const encoded = findCodec(name).encode(text);
      if (!(encoded instanceof Uint8Array)) continue;
      expect(new TextDecoder(name, { fatal: true }).decode(encoded)).toBe(text);
    }
    expect(findCodec("gb18030").encode("😀")).toEqual(bytes(0x94, 0x39, 0xfc, 0x36));
  });

  it("changes the spliced bytes of any content and no others, or refuses it", () => {
    fc.assert(
      fc.property(contents, fc.nat(40), fc.nat(10), (content, at, length) => {
        const document = tryOpen(content);
        if (document === undefined) return;
        const { text } = document;
        const start = toBoundary(text, Math.min(at, text.length));
        const end = toBoundary(text, Math.min(start + length, text.length));
        const same = document.splice([{ start, end, text: text.slice(start, end) }]);
        expect(same).toEqual(content);
        const splices: Splice[] = [{ start, end, text: "new" }];
        const after = document.splice(splices);
        const mark =
          content.length - (findCodec(document.encoding).encode(text) as Uint8Array).length;
        const expected = findCodec(document.encoding).encode(spliceText(text, splices));
        expect([...after]).toEqual([...content.subarray(0, mark), ...(expected as Uint8Array)]);
      }),
      { numRuns: 2_000 },
    );
  });
});

const pieces = fc.oneof(
  fc
    .string({ unit: fc.constantFrom("a", " ", "\n", "\r\n", "é", "本", "😀"), maxLength: 12 })
    .map(utf8),
  fc.uint8Array({ maxLength: 12, min: 9 }),
  fc.constantFrom(...samples.map(([, , base64]) => fromBase64(base64))),
  fc.constantFrom(bytes(0xff, 0xfe), bytes(0xfe, 0xff), bytes(0xef, 0xbb, 0xbf), bytes(0x61, 0)),
);
const contents = fc
  .array(pieces, { maxLength: 4 })
  .map((parts) => bytes(...parts.flatMap((part) => [...part])));

function tryOpen(content: Uint8Array): ReturnType<typeof openText> | undefined {
  try {
    return openText(content, "/w/a");
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(binary|failed)$/u) });
    return undefined;
  }
}

function toBoundary(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}

/** How many bytes two contents have in common at their beginning and end. */
function common(some: Uint8Array, others: Uint8Array): { before: number; after: number } {
  let before = 0;
  while (before < some.length && some[before] === others[before]) before++;
  let after = 0;
  while (after < some.length && some.at(-1 - after) === others.at(-1 - after)) after++;
  return { before, after };
}
