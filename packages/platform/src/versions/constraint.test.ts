import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ListedVersion, toConstraint } from "./constraint.ts";
import { markLatest } from "./read-version-heads.ts";
import { toNumber, toText } from "./version-text.ts";

/** Versions such as `1.2.3`: `1.2.3!` is deprecated, `1.2.3?` a candidate. */
function versions(...texts: string[]): readonly ListedVersion[] {
  const listed = texts.map((text, index) => {
    const number = toNumber(text.replace(/[!?]$/u, ""));
    if (number === undefined) throw new Error(text);
    return {
      ...number,
      id: `${index}`,
      deprecated: text.endsWith("!") ? (1 as const) : (0 as const),
      candidate: text.endsWith("?") ? (1 as const) : (0 as const),
    };
  });
  return markLatest(listed, null);
}

const select = (text: string, ...texts: string[]): string[] =>
  toConstraint(text, ["path", "version"])
    .select(versions(...texts))
    .map(toText);

describe("toConstraint", () => {
  it("resolves an exact version, deprecated or not", () => {
    expect(select("1.2.3", "1.2.3", "1.2.30", "11.2.3")).toEqual(["1.2.3"]);
    expect(select(" 1.2.3 ", "1.2.3!")).toEqual(["1.2.3"]);
    expect(select("1.2.4", "1.2.3")).toEqual([]);
  });

  it("resolves latest to the highest version that is not deprecated", () => {
    expect(select("latest", "1.9.0", "1.10.0", "2.0.0!", "1.2.11")).toEqual(["1.10.0"]);
    expect(select("latest", "2.0.0!")).toEqual([]);
    expect(select("latest")).toEqual([]);
  });

  it("names a candidate by its exact number only", () => {
    expect(select("latest", "1.0.0", "1.1.0?")).toEqual(["1.0.0"]);
    expect(select(">=1", "1.0.0", "1.1.0?")).toEqual(["1.0.0"]);
    expect(select("==1.1.0", "1.0.0", "1.1.0?")).toEqual([]);
    expect(select("1.1.0", "1.0.0", "1.1.0?")).toEqual(["1.1.0"]);
  });

  // What PEP 440 itself says of each operator.
  it.each([
    ["~=2.2", ["2.2.0", "2.3.0", "2.99.9"], ["2.1.9", "3.0.0"]],
    ["~= 1.4.5", ["1.4.5", "1.4.9"], ["1.4.4", "1.5.0"]],
    ["~=2.2.0", ["2.2.0", "2.2.7"], ["2.3.0"]],
    ["==1.1", ["1.1.0"], ["1.1.1"]],
    ["== 1.1.*", ["1.1.0", "1.1.1"], ["1.2.0", "1.10.0"]],
    ["==1.*", ["1.0.0", "1.9.9"], ["2.0.0"]],
    ["!=1.1", ["1.1.1", "1.0.0"], ["1.1.0"]],
    ["!=1.1.*", ["1.2.0"], ["1.1.0", "1.1.5"]],
    ["===1.2.3", ["1.2.3"], ["1.2.4"]],
    [">1.7", ["1.7.1", "1.8.0"], ["1.7.0", "1.6.9"]],
    [">=1.2,<2", ["1.2.0", "1.99.0"], ["1.1.9", "2.0.0"]],
    [" >= 1.2 , < 2 , != 1.3.* ", ["1.2.0", "1.4.0"], ["1.3.1", "2.0.0"]],
    ["<=1", ["1.0.0", "0.9.0"], ["1.0.1"]],
    [">=v1.0", ["1.0.0"], ["0.9.9"]],
  ])("understands %s", (text, inside, outside) => {
    expect(select(text, ...inside, ...outside)).toEqual(inside);
    expect(select(text, ...inside.map((each) => `${each}!`))).toEqual(inside);
  });

  it.each([
    "",
    " ",
    "1",
    "1.2",
    "v1.2.3",
    "01.2.3",
    "1.2.3.4",
    "1.2.3-beta",
    "Latest",
    "latest,>1",
    "^1.2.3",
    "~1.2",
    "=1.2.3",
    "=>1",
    ">=",
    ">=1,",
    ">=1 <2",
    ">=1||<2",
    "<1.*",
    "~=1",
    "==1.*.*",
    "*",
    "1.x",
    ">=1; drop table tools",
    `>=${"1.".repeat(100)}0`,
    `${"9".repeat(30)}.0.0`,
  ])("refuses %j and says what will do", (text) => {
    expect(() => toConstraint(text, ["path", "version"])).toThrow(
      expect.objectContaining({
        status: 422,
        message: expect.stringMatching(/^path\.version: .*1\.2\.3.*latest.*>=1\.2,<2/),
      }),
    );
  });

  it("says how to write what half a version means", () => {
    expect(() => toConstraint("1.2", [])).toThrow("write ==1.2.*.");
  });

  const part = fc.integer({ min: 0, max: 3 });
  const version = fc.tuple(part, part, part);
  const operator = fc.constantFrom("==", "!=", "<", "<=", ">", ">=");
  const comparison = fc.record({
    operator,
    release: fc.oneof(fc.tuple(part), fc.tuple(part, part), version),
    blank: fc.constantFrom("", " ", "  "),
  });

  it("compares numbers as numbers, what is missing as zero", () => {
    const property = fc.property(
      fc.uniqueArray(version, { selector: String, maxLength: 20 }),
      fc.array(comparison, { minLength: 1, maxLength: 3 }),
      (versions, comparisons) => {
        const text = comparisons
          .map((each) => `${each.operator}${each.blank}${each.release.join(".")}${each.blank}`)
          .join(",");
        const expected = versions.filter((each) =>
          comparisons.every((one) => holds(one.operator, compare(each, one.release))),
        );
        expect(select(text, ...versions.map((each) => each.join(".")))).toEqual(
          expected.map((each) => each.join(".")),
        );
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it("either refuses a text or can use it", () => {
    const property = fc.property(
      fc.oneof(
        fc.string({ maxLength: 30 }),
        fc.string({ unit: fc.constantFrom(..."<>=~!.,*0123456789 va-+"), maxLength: 30 }),
      ),
      (text) => {
        try {
          expect(select(text, "1.2.3", "2.0.0").length).toBeLessThanOrEqual(2);
        } catch (error) {
          expect(error).toMatchObject({ status: 422 });
        }
      },
    );
    fc.assert(property, { numRuns: 500 });
  });
});

function compare(version: readonly number[], release: readonly number[]): number {
  return version.reduce((found, each, at) => found || each - (release[at] ?? 0), 0);
}

function holds(operator: string, order: number): boolean {
  if (operator === "==") return order === 0;
  if (operator === "!=") return order !== 0;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}
