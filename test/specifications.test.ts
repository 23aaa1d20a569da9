import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = readFileSync(`${root}docs/reference/specifications.md`, "utf8");

/** The cells of every row below the head of a table in this part of the page. */
function rowsOf(part: string): string[][] {
  return part
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.slice(2, -2).split(" | "));
}

// Parts: the introduction, then each document's statements and, where it has some, its deviations.
const [introduction = "", ...parts] = page.split(/^#{2,3} /mu);
const documents = parts
  .filter((part) => /^00\d: /u.test(part))
  .map((part) => {
    const name = part.slice(0, part.indexOf("\n"));
    const deviations = parts.find((each) => each.startsWith(`Deviations of ${name.slice(0, 3)}\n`));
    return { name, statements: rowsOf(part), deviations: rowsOf(deviations ?? "") };
  });

describe("docs/reference/specifications.md", () => {
  it("counts the statements and deviations of five documents", () => {
    const counts = documents.map(({ name, statements, deviations }) => [
      ...[name, String(statements.length), String(deviations.length)],
    ]);
    expect(counts.map(([name]) => name?.slice(0, 3))).toEqual(["000", "001", "002", "003", "004"]);
    expect(rowsOf(introduction)).toEqual(counts);
    const sum = (column: number): number =>
      counts.reduce((total, row) => total + Number(row[column]), 0);
    expect(introduction.replaceAll("\n", " ")).toContain(
      `${sum(1)} statements hold, and in ${sum(2)} points Haft differs`,
    );
  });

  describe.each(documents)("$name", ({ statements, deviations }) => {
    it("names lines in ascending order", () => {
      for (const rows of [statements, deviations]) {
        const starts = rows.map(([lines = ""]) => {
          expect(lines).toMatch(/^\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*$/u);
          const numbers = lines.split(/, |-/u).map(Number);
          expect(numbers, lines).toEqual(numbers.toSorted((a, b) => a - b));
          return numbers[0];
        });
        expect(starts).toEqual(starts.toSorted((a, b) => Number(a) - Number(b)));
      }
    });

    it("has a statement in every row, and a reason for every deviation", () => {
      for (const row of statements) expect(row, row[0]).toHaveLength(3);
      for (const row of deviations) expect(row, row[0]).toHaveLength(5);
      for (const cell of [...statements, ...deviations].flat()) expect(cell.trim()).not.toBe("");
      for (const [, , difference, reason] of deviations) {
        expect([difference, reason]).toEqual(Array(2).fill(expect.stringMatching(/\.$/u)));
      }
    });

    it("names tests that exist", () => {
      const missing = [...statements, ...deviations].flatMap((row) =>
        (row.at(-1) ?? "").split("<br>").filter((test) => !exists(test)),
      );
      expect(missing).toEqual([]);
    });
  });
});

/** Tells whether a test, given as "`file`: title", is in the source as it is written here. */
function exists(test: string): boolean {
  const { file = "", title = "" } =
    /^`(?<file>[^`]+(?:\.test|-rows)\.ts)`: (?<title>.+)$/u.exec(test)?.groups ?? {};
  if (file === "" || !existsSync(`${root}${file}`)) return false;
  const source = readFileSync(`${root}${file}`, "utf8");
  return ['"', "'", "`"].some((quote) => source.includes(`${quote}${title}${quote}`));
}
