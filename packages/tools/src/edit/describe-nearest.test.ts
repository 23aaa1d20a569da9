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
        " Nearest:",
        "lines 29-33, 1 of 5 different:",
        "  line 30 is:       return value + 7;",
        "  old_string has:   return valeu + 7;",
        "Copy the text to replace from the file, without line numbers.",
      ].join("\n"),
    );
  });

  it("finds a line by its rare words where no whole line is the same", () => {
    expect(describeNearest(file, "fnction name31(value)")).toContain(
      "line 125 is:     function name31(value) {",
    );
  });

  it("makes space visible where space is what differs", () => {
    const shown = describeNearest("a = 1;\n\tb  = 2;\nc = 3;\n", "a = 1;\n    b = 2;\nc = 3;");
    expect(shown).toContain(
      "  line 2 is:     →b··=·2;\n  old_string has: ····b·=·2; (· is a space, → a tab)",
    );
  });

  it("says which lines are missing or more", () => {
    expect(describeNearest("one();\ntwo();\nthree();\n", "one();\nthree();")).toContain(
      "line 2 is not in old_string: two();",
    );
    expect(describeNearest("one();\nthree();\nfour();\n", "one();\ntwo();\nthree();")).toContain(
      "before line 2, old_string has: two();",
    );
  });

  it("shows at most three places, the same distance apart as the lines are long", () => {
    const shown = describeNearest(file, "function other(value) {\n  return value + 100;\n}");
    expect(shown.match(/^lines? /gmu)?.length ?? 0).toBeLessThanOrEqual(3);
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

  it("says so where nothing is similar", () => {
    expect(describeNearest("a\nb\n", "zzz")).toMatch(/^ Nothing in it is similar\./u);
    expect(describeNearest("", "zzz")).toMatch(/^ Nothing in it is similar\./u);
  });
});
