import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatDiff } from "@haft/contract/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDiff } from "../test-support/apply-diff.ts";
import { type Splice, spliceText } from "./text-document.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

describe("formatDiff", () => {
  it("shows a changed line with three lines around it", () => {
    const { diff, lineRange } = formatDiff("src/a.ts", ten, [{ start: 8, end: 9, text: "five" }]);
    expect(diff).toBe(
      "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
    expect(lineRange).toEqual([5, 5]);
  });

  it("keeps distant changes apart and puts near ones into one hunk", () => {
    const ends = (text: string): string[] => text.match(/^@@.*@@$/gmu) ?? [];
    const near = [
      { start: 0, end: 1, text: "x" },
      { start: 14, end: 15, text: "y" },
    ];
    expect(ends(formatDiff("a", ten, near).diff)).toEqual(["@@ -1,10 +1,10 @@"]);
    const far = [
      { start: 0, end: 1, text: "x\nx" },
      { start: 16, end: 17, text: "y" },
    ];
    expect(ends(formatDiff("a", ten, far).diff)).toEqual(["@@ -1,4 +1,5 @@", "@@ -6,5 +7,5 @@"]);
    expect(formatDiff("a", ten, far).lineRange).toEqual([1, 10]);
  });

  it.each<[string, string, Splice, string, [number, number]]>([
    [
      "an insertion",
      "a\nb\n",
      { start: 2, end: 2, text: "x\n" },
      "@@ -1,2 +1,3 @@\n a\n+x\n b\n",
      [2, 2],
    ],
    [
      "a deletion",
      "a\nb\nc\n",
      { start: 2, end: 4, text: "" },
      "@@ -1,3 +1,2 @@\n a\n-b\n c\n",
      [2, 2],
    ],
    [
      "a deletion at the end",
      "a\nb\n",
      { start: 2, end: 4, text: "" },
      "@@ -1,2 +1,1 @@\n a\n-b\n",
      [1, 1],
    ],
    ["a new text", "", { start: 0, end: 0, text: "a\n" }, "@@ -0,0 +1,1 @@\n+a\n", [1, 1]],
    ["all of it gone", "a\n", { start: 0, end: 2, text: "" }, "@@ -1,1 +0,0 @@\n-a\n", [1, 1]],
    [
      "two lines joined",
      "a\nb\n",
      { start: 1, end: 2, text: "" },
      "@@ -1,2 +1,1 @@\n-a\n-b\n+ab\n",
      [1, 1],
    ],
    [
      "carriage returns",
      "a\r\nb\r\n",
      { start: 0, end: 1, text: "x" },
      "@@ -1,2 +1,2 @@\n-a\r\n+x\r\n b\r\n",
      [1, 1],
    ],
    [
      "a line end added at the end",
      "a",
      { start: 1, end: 1, text: "\n" },
      "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
      [1, 1],
    ],
    [
      "a line end taken from the end",
      "a\n",
      { start: 1, end: 2, text: "" },
      "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n",
      [1, 1],
    ],
    [
      "lines that stay inside",
      "a\nb\nc\n",
      { start: 0, end: 5, text: "x\nb\ny" },
      "@@ -1,3 +1,3 @@\n-a\n+x\n b\n-c\n+y\n",
      [1, 3],
    ],
  ])("shows %s", (...[, before, splice, hunk, lineRange]) => {
    const shown = formatDiff("f", before, [splice]);
    expect(shown).toEqual({ diff: `--- a/f\n+++ b/f\n${hunk}`, lineRange });
  });

  it("shows nothing where nothing changes", () => {
    expect(formatDiff("a", "x\ny\n", [{ start: 2, end: 3, text: "y" }])).toEqual({
      diff: "",
      lineRange: [2, 2],
    });
  });

  it("quotes names as git does", () => {
    const header = (path: string): string | undefined =>
      formatDiff(path, "a", [{ start: 0, end: 1, text: "b" }]).diff.split("\n")[0];
    expect(header("/w/a")).toBe("--- a/w/a");
    expect(header("a b")).toBe("--- a/a b\t");
    expect(header('a"b\n')).toBe('--- "a/a\\"b\\n"');
  });

  it("always leads from the old text to the new one", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.tuple(fc.nat(60), fc.nat(20), texts)), (before, parts) => {
        const splices = toSplices(before, parts);
        const after = spliceText(before, splices);
        const { diff, lineRange } = formatDiff("a", before, splices);
        expect(applyDiff(before, diff)).toBe(after);
        expect(applyDiff(after, reverse(diff))).toBe(before);
        expect(diff === "").toBe(before === after);
        const lines = after.split("\n").length;
        expect(lineRange[0]).toBeGreaterThanOrEqual(1);
        expect(lineRange[1]).toBeGreaterThanOrEqual(lineRange[0]);
        expect(lineRange[1]).toBeLessThanOrEqual(lines);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is a patch to git", () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-diff-"));
    try {
      const samples = fc.sample(
        fc.tuple(texts, fc.array(fc.tuple(fc.nat(60), fc.nat(20), texts))),
        {
          numRuns: 15,
          seed: 7,
        },
      );
      for (const [before, parts] of samples) {
        const splices = toSplices(before, parts);
        const { diff } = formatDiff("a b.txt", before, splices);
        // Git takes an empty old side for a new file.
        if (diff === "" || before === "" || spliceText(before, splices) === "") continue;
        writeFileSync(join(directory, "a b.txt"), before);
        execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: directory, input: diff });
        expect(readFileSync(join(directory, "a b.txt"), "utf8")).toBe(spliceText(before, splices));
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

/** The diff that leads back. */
function reverse(diff: string): string {
  const [, , ...lines] = diff.split("\n");
  const swapped = lines.map((line) =>
    line.startsWith("@@")
      ? line.replace(/-(\S+) \+(\S+)/u, "-$2 +$1")
      : line.replace(/^[-+]/u, (sign) => (sign === "-" ? "+" : "-")),
  );
  return diff === "" ? "" : `---\n+++\n${swapped.join("\n")}`;
}

const texts = fc.string({
  unit: fc.constantFrom("a", "b", "\n", "\n", "\r\n", "é"),
  maxLength: 60,
});

function toSplices(
  before: string,
  parts: readonly (readonly [number, number, string])[],
): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  for (const [gap, length, text] of parts) {
    const start = Math.min(at + gap, before.length);
    const end = Math.min(start + length, before.length);
    splices.push({ start, end, text });
    at = end;
  }
  return splices;
}
