import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readPlainFields } from "./read-plain-fields.ts";

describe("readPlainFields", () => {
  it("reads what most skills have", () => {
    const text =
      'name: pdf-forms\ndescription: Fills forms (PDF), e.g. it\'s 100% "done"; see a:b.\n\nlicense: MIT  \n';
    expect(readPlainFields(text)).toEqual({
      name: "pdf-forms",
      description: 'Fills forms (PDF), e.g. it\'s 100% "done"; see a:b.',
      license: "MIT",
    });
  });

  it.each([
    "name: 5",
    "name: 2026-01-01",
    "name: true",
    "name: Null",
    "name: ~",
    "name:",
    "name: ",
    "name: a: b",
    "name: a:",
    "name: a # b",
    "name: 'a'",
    'name: "a"',
    "name: [a]",
    "name: |",
    "name: @a",
    "name: *a",
    "name: a\n  b",
    "name: a\n\tb",
    "name: a\nname: b",
    "# a\nname: a",
    "- a",
    "a",
    "metadata:\n  a: b",
    "name: a\u0000b",
    "name: a\u2028b",
    "...",
  ])("leaves %j to a real parser", (text) => {
    expect(readPlainFields(text)).toBeUndefined();
  });

  it("reads everything as a real parser does", () => {
    const sign = fc.constantFrom(
      ..."abZé9 :#-'\"[]{},&*!|>%@`~?\\/.=\t\n",
      "null",
      "true",
      ": ",
      " #",
    );
    const value = fc.oneof(
      fc.array(sign, { minLength: 1 }).map((signs) => `a${signs.join("")}`),
      fc.string({ unit: "grapheme" }),
    );
    const line = fc.tuple(fc.constantFrom("name", "description", "allowed-tools", "x"), value);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const text = lines.map(([field, said]) => `${field}: ${said}`).join("\n");
        const plain = readPlainFields(text);
        if (plain !== undefined) expect(plain).toEqual(parse(text) ?? {});
      }),
      { numRuns: 2_000 },
    );
  });
});
