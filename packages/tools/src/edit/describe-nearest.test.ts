import { describe, expect, it } from "vitest";
import { describeNearest as describeIn } from "./describe-nearest.ts";
import { FileText } from "./file-text.ts";

const file = Array.from(
  { length: 40 },
  (_, at) => `function name${at}(value) {\n  return value + ${at};\n}\n`,
).join("\n");

const describeNearest = (text: string, wanted: string): string =>
  describeIn(new FileText(text), wanted);

describe("describeNearest", () => {
  it("shows the place with most of the lines and what differs in it", () => {
    const wanted = "function name7(value) {\n  return valeu + 7;\n}\n\nfunction name8(value) {";
    expect(describeNearest(file, wanted)).toBe(
      [
        " Nearest: lines 29-33; 1 of 5 different:",
        "  29: function name7(value) {",
        "> 30:   return value + 7;",
        "  old_string has:   return valeu + 7;",
        "  31: }",
        "  32: ",
        "  33: function name8(value) {",
        "Send the lines of the file as old_string, without line numbers and marks.",
      ].join("\n"),
    );
  });

  it("finds a line by its rare words where no whole line is the same", () => {
    expect(describeNearest(file, "fnction name31(value)")).toContain(
      "> 125: function name31(value) {",
    );
  });

  it("makes space visible where space is what differs", () => {
    const shown = describeNearest("a = 1;\n\tb  = 2;\nc = 3;\n", "a = 1;\n    b = 2;\nc = 3;");
    expect(shown).toContain("1 of 3 different (the file has tabs where old_string has spaces):");
    expect(shown).toContain("> 2: →b··=·2;\n  old_string has: ····b·=·2; (· is a space, → a tab)");
  });

  it("says which lines are missing or more", () => {
    expect(describeNearest("one();\ntwo();\nthree();\n", "one();\nthree();")).toContain(
      "(1 line of the file is not in old_string):\n  1: one();\n> 2: two();\n  old_string does not have this line",
    );
    expect(describeNearest("one();\nthree();\nfour();\n", "one();\ntwo();\nthree();")).toContain(
      "> before line 2, old_string has: two();",
    );
  });

  it("shows at most three places, the same distance apart as the lines are long", () => {
    const shown = describeNearest(file, "function other(value) {\n  return value + 100;\n}");
    expect(shown).toMatch(/^Also similar: lines \d+-\d+, lines \d+-\d+\.$/mu);
  });

  it("clips long lines around the difference", () => {
    const long = "x".repeat(5_000);
    const shown = describeNearest(
      `${long}a${long} some words here\n`,
      `${long}b${long} some words here`,
    );
    expect(shown.length).toBeLessThan(800);
    expect(shown).toContain("xa");
    expect(shown).toContain("xb");
  });

  it("shows at most 40 lines, from before the first difference", () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line number ${at}`);
    const shown = describeNearest(lines.join("\n"), lines.with(50, "other").join("\n"));
    expect(shown).toContain("(60 more lines are not shown)");
    expect(shown).toContain("> 51: line number 50\n  old_string has: other");
    expect(shown.split("\n").length).toBeLessThan(50);
  });

  it("names no line that the file does not have", () => {
    expect(describeNearest("one();\ntwo();\n", "two();\nthree();\nfour();")).not.toMatch(/> 3:/u);
    expect(describeNearest("one();\ntwo();\n", "two();\nthree();")).toContain("line 2;");
  });

  it("shows a text without words where only space differs", () => {
    expect(describeNearest("x = y\nf( 1 )\n", "f(1)")).toMatch(/^ Line 2 has f\(·1·\) instead/u);
  });

  it("says so where nothing is similar", () => {
    expect(describeNearest("a\nb\n", "zzz")).toMatch(/^ Nothing in it is similar\./u);
    expect(describeNearest("", "zzz")).toMatch(/^ Nothing in it is similar\./u);
  });
});
