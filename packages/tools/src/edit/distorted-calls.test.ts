import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spliceText } from "../text/text-document.ts";
import { FileText } from "./file-text.ts";
import { type EditRequest, planEdit } from "./plan-edit.ts";

/** What a model does to the text that it copies, to the old text and usually to the new one too. */
const distortions: Readonly<Record<string, (text: string) => string>> = {
  "trailing space lost": (text) => text.replaceAll(/[ \t]+$/gmu, ""),
  "look-alikes written plainly": (text) =>
    text
      .replaceAll(/[\u201c\u201d]/gu, '"')
      .replaceAll("\u2019", "'")
      .replaceAll("\u2014", "-")
      .replaceAll("\u00a0", " ")
      .replaceAll("\u2026", "...")
      .normalize("NFC"),
  "quotes made curly": (text) => text.replaceAll('"', "\u201d").replaceAll("'", "\u2019"),
  "indentation lost": (text) => text.replaceAll(/^ {2}/gmu, ""),
  "indentation added": (text) => text.replaceAll(/^(?=.)/gmu, "    "),
  "tabs for spaces": (text) => text.replaceAll(/^ +/gmu, (all) => "\t".repeat(all.length / 2)),
  "escaped as in JSON": (text) => JSON.stringify(text).slice(1, -1),
  "quotes escaped": (text) => text.replaceAll('"', '\\"'),
  "entities for signs": (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  "blank lines around": (text) => `\n${text}\n\n`,
  "space after signs": (text) => text.replaceAll(/[(=&<]/gu, "$& "),
  "line numbers left in": (text) =>
    text
      .split("\n")
      .map((each, at) => `${at + 7}: ${each}`)
      .join("\n"),
  "line numbers of cat": (text) =>
    text
      .split("\n")
      .map((each, at) => `${String(at + 7).padStart(6)}\t${each}`)
      .join("\n"),
  "a code fence around": (text) => `\`\`\`ts\n${text}\n\`\`\``,
  "other quotes": (text) => text.replaceAll(/["']/gu, (quote) => (quote === '"' ? "'" : '"')),
  "semicolons lost": (text) => text.replaceAll(";", ""),
  "a semicolon added": (text) => text.replace(/\d$/mu, "$&;"),
  "blank lines lost": (text) => text.replaceAll(/\n(?:[ \t]*\n)+/gu, "\n"),
  "blank lines added": (text) => text.replaceAll(/(?<=\S)\n(?=\s*\S)/gu, "\n\n"),
  "a blank line added": (text) => text.replace(/(?<=\S)\n(?=\s*\S)/u, "\n\n"),
  "two lines joined": (text) => text.replace(/(?<=\S)\n\s*(?=\S)/u, " "),
  "a line broken": (text) => text.replace(/(?<=\S) +(?=\S)/u, "\n"),
  "one line indented otherwise": (text) => text.replace(/(?<=\n) *(?=\S)/u, "      "),
  "carriage returns": (text) => text.replaceAll("\n", "\r\n"),
};

// Of the old text alone, blank lines are lines to delete, and missing indentation is to be added.
const isAlwaysBoth = new Set(["blank lines around", "indentation lost"]);

const words = [
  ...["alpha", "beta", "x1", "(", ")", ";", "=", '"', "'", "<", "&", "\\n", "-", " "],
  ...["\u201c", "\u201d", "\u2019", "\u2014", "\u00a0", "\u2026", "caf\u00e9", "cafe\u0301"],
];
const line = fc
  .tuple(
    fc.nat({ max: 3 }),
    fc.array(fc.constantFrom(...words), { maxLength: 6 }),
    fc.constantFrom("", "", "", "  ", "\t"),
  )
  .map(([depth, content, end]) => {
    const text = content.join("").trim();
    return text === "" ? "" : `${"  ".repeat(depth)}${text}${end}`;
  });
// Lines differ from each other: of two that are the same, it can't be told which one was deleted.
const makeLines = (first: number): fc.Arbitrary<string[]> =>
  fc
    .array(line, { minLength: 1, maxLength: 8 })
    .map((all) => all.map((each, at) => each.replace(/(?<=\S)(?=\s*$)/u, ` ${first + at}`)));

/** A change that a person would make: words that no distortion touches. */
const change = fc.tuple(
  fc.constantFrom("replace", "insert", "delete", "append"),
  fc.nat({ max: 7 }),
  fc.constantFrom("added", "added2 other"),
);

function makeChange(
  old: readonly string[],
  [kind, at, word]: readonly [string, number, string],
): readonly string[] {
  const filled = [...old.keys()].filter((index) => (old[index] as string).trim() !== "");
  const index = filled[at % filled.length] as number;
  const chosen = old[index] as string;
  const own = chosen.slice(0, chosen.length - chosen.trimStart().length);
  switch (kind) {
    case "replace":
      return old.with(index, chosen.replace(/alpha|beta|x1|\d+(?=\s*$)/u, word));
    case "insert":
      return old.toSpliced(index, 0, own + word);
    case "delete":
      return old.toSpliced(index, 1);
    default:
      return old.with(index, chosen.replace(/(?<=\S)(?=\s*$)/u, ` ${word}`));
  }
}

const runs = Number(process.env.HAFT_DISTORTED_CALLS ?? 300);
const seed = process.env.HAFT_DISTORTED_CALLS_SEED;

describe("a distorted call", () => {
  it.each(Object.entries(distortions))("never makes another change: %s", (name, distort) => {
    let landed = 0;
    const parts = fc.record({
      before: makeLines(10),
      old: makeLines(20),
      after: makeLines(30),
      change,
      isNewToo: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, ({ before, old, after, change: made, isNewToo }) => {
        fc.pre(old.some((each) => each.trim() !== ""));
        const now = makeChange(old, made);
        const toFile = (part: readonly string[]): string =>
          [...before, ...part, ...after, ""].join("\n");
        const [file, expected] = [toFile(old), toFile(now)];
        const [oldText, newText] = [old.join("\n"), now.join("\n")];
        fc.pre(newText.trim() !== "");
        const edit = {
          old_string: distort(oldText),
          new_string: isNewToo || isAlwaysBoth.has(name) ? distort(newText) : newText,
        };
        // What is there to the letter is replaced to the letter.
        fc.pre(!file.includes(edit.old_string));
        const result = tryEdit(file, edit);
        if (result === undefined) return;
        expect({ file, edit, result }).toEqual({ file, edit, result: expected });
        landed++;
      }),
      { numRuns: runs, ...(seed !== undefined && { seed: Number(seed) }) },
    );
    expect(landed).toBeGreaterThan(runs / 20);
  });
});

describe("an edit", () => {
  it.each([
    [
      "keeps a hard break of Markdown",
      "one  \ntwo\nthree\n",
      "one\ntwo\nthree",
      "one\n2\nthree",
      "one  \n2\nthree\n",
    ],
    [
      "keeps a blank first line of spaces",
      "a\n    \nb \nc\n",
      "  \nb\nc",
      "  \nx\nc",
      "a\n    \nx \nc\n",
    ],
    [
      "keeps the file's own characters around a change",
      "say \u201chi\u201d, it\u2019s 1\u20132\n",
      'say "hi", it\'s 1-2',
      'say "bye", it\'s 1-2',
      "say \u201cbye\u201d, it\u2019s 1\u20132\n",
    ],
    [
      "writes what the call adds as the file writes it",
      'f("a");\n',
      "f(\u201ca\u201d);",
      "f(\u201ca\u201d, \u201cb\u201d);",
      'f("a", "b");\n',
    ],
    [
      "writes it so in other lines, too",
      'f("a");\ng();\n',
      "f(\u201ca\u201d);\ng();",
      "f(\u201ca\u201d);\ng(\u201cb\u201d);",
      'f("a");\ng("b");\n',
    ],
    [
      "takes a new text that has the file's characters as it stands",
      "\u201ca\u201d b\n",
      '"a" b',
      "\u201ca\u201d \u201cc\u201d b",
      "\u201ca\u201d \u201cc\u201d b\n",
    ],
    [
      "does not shift lines that are indented as in the file",
      "    if (a) {\n      b();\n    }\n",
      "if (a) {\n  b();\n}",
      "    if (a) {\n      c();\n    }",
      "    if (a) {\n      c();\n    }\n",
    ],
    [
      "keeps the file's own space between words and signs",
      "f( 1, [ 2 ] );\ng( 3 );\n",
      "f(1, [2]);\ng(3);",
      "f(1, [2], x);\ng(4);",
      "f( 1, [ 2 ], x );\ng( 4 );\n",
    ],
    [
      "leaves line numbers out, of one line if it is that line",
      "a\nb\nc\n",
      "2: b",
      "2: x\n3: y",
      "a\nx\ny\nc\n",
    ],
    ["leaves line numbers out of the old text alone", "a\nb\nc\n", "2 | b\n3 | c", "x", "a\nx\n"],
    [
      "keeps the line break that only the old text has",
      "a = 1;\nb = 2;\n",
      "a = 1;\n",
      "a = 3;",
      "a = 3;\nb = 2;\n",
    ],
    [
      "keeps the line break that only the old text begins with",
      "a\nb\nc\n",
      "\nb",
      "x",
      "a\nx\nc\n",
    ],
    ["joins lines where it is told to", "f(\n  1)\n", "f(\n  ", "f(", "f(1)\n"],
    [
      "removes the line that a deletion leaves blank beside another",
      "a\n\nb\nc\n",
      "b",
      "",
      "a\n\nc\n",
    ],
    ["removes the line that a deletion leaves with space alone", "a\n  b\nc\n", "b", "", "a\nc\n"],
    [
      "leaves out a code fence that only the new text has",
      "a\nb\n",
      "b",
      "```js\nc\n```",
      "a\nc\n",
    ],
    [
      "keeps a code fence in a file with others",
      "```\na\n```\nb\n",
      "b",
      "```\nc\n```",
      "```\na\n```\n```\nc\n```\n",
    ],
    [
      "leaves a new text alone that is not escaped",
      'f("a")\n',
      'f(\\"a\\")',
      'f("b\\n")',
      'f("b\\n")\n',
    ],
  ])("%s", (...[, file, oldText, newText, result]) => {
    expect(makeEdit(file, oldText, newText)).toBe(result);
  });

  it.each([
    [
      "a placeholder",
      "a\nb\nc\n",
      "a\nb",
      "a\n// ... existing code ...",
      /placeholder: \/\/ \.\.\. existing/u,
    ],
    [
      "what was made already",
      "const x = 2;\n",
      "const x = 1;",
      "const x = 2;",
      /has new_string already/u,
    ],
    ["a diff", "  a\n  b\n", "   a\n   b", "-  a\n+  c\n   b", /For a diff, use `apply_patch`/u],
    [
      "escapes with two readings",
      'f("a")\n',
      'f(\\"a\\")',
      'f(\\"b\\n\\")',
      /not clear how to read the escapes/u,
    ],
    ["indentation with two readings", "  a\n", "    a", "a\nb", /was not found/u],
    ["a change of space in other space", "f( 1 )\n", "f(1)", "f (1)", /was not found/u],
    ["words that space would join", "intx = 1\n", "int x = 1", "int x = 2", /was not found/u],
    ["a key that is a number", "web\n8081: web\n", "8080: web", "8080: site", /was not found/u],
    ["line numbers in some lines", "a\nb\n", "1: a\n2: b", "1: a\nx", /was not found/u],
    ["line numbers that do not count", "a\nb\n", "1: a\n3: b", "x", /was not found/u],
  ])("refuses %s", (...[, file, oldText, newText, message]) => {
    expect(() => makeEdit(file, oldText, newText)).toThrow(message);
  });

  it.each([
    ["a blank line that a deletion leaves", "a\nb\nc\n", "b", "", /blank line is left/u],
    ["a blank line that the new text adds", "a\nb\n", "a", "x\n", /so a blank line follows it/u],
    ["a line break that was kept", "a\nb\n", "a\n", "x", /line break that only old_string had/u],
  ])("tells of %s", (...[, file, oldText, newText, note]) => {
    const edit = { old_string: oldText, new_string: newText };
    expect(planEdit(new FileText(file), edit, "/w/a").notes).toEqual([expect.stringMatching(note)]);
  });

  it("tells several places apart by the lines around them", () => {
    const file = "f() {\n  x\n}\n\ng() {\n  x\n}\n\nx\nx\n";
    expect(() => makeEdit(file, "  x\n", "  y\n")).toThrow(
      '  line 2: the line before it is "f() {"\n  line 6: the line before it is "g() {"',
    );
    expect(() => makeEdit("a\nx\nb\na\nx\nc\n", "x", "y")).toThrow(
      '  line 2: the line after it is "b"\n  line 5: the line after it is "c"',
    );
  });

  it("ignores a byte order mark in the call", () => {
    expect(makeEdit("a b\n", "\ufeffa", "\ufeffc")).toBe("c b\n");
  });
});

function makeEdit(file: string, oldText: string, newText: string): string {
  const edit = { old_string: oldText, new_string: newText };
  return spliceText(file, planEdit(new FileText(file), edit, "/w/a").splices);
}

function tryEdit(
  file: string,
  { old_string: oldText, new_string: newText }: EditRequest,
): string | undefined {
  try {
    return makeEdit(file, oldText, newText);
  } catch {
    return undefined;
  }
}
