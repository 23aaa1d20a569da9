import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spliceText } from "../text/text-document.ts";
import { escapeRepairs } from "./escapes.ts";
import { FileText } from "./file-text.ts";
import { foldUnicode } from "./fold-unicode.ts";
import { climbLadder, type EditStrategy, findBlankEdges, trimBlankEdges } from "./ladder.ts";
import { planEdit } from "./plan-edit.ts";

function apply(file: string, oldText: string, newText: string): [result: string, strategy: string] {
  const edit = { old_string: oldText, new_string: newText };
  const { splices, strategy } = planEdit(new FileText(file), edit, "/w/a");
  return [spliceText(file, splices), strategy];
}

type Case = readonly [name: string, file: string, oldText: string, newText: string, result: string];

function describeRung(strategy: string, cases: readonly Case[]): void {
  describe(`the rung ${strategy}`, () => {
    it.each(cases)("%s", (...[, file, oldText, newText, result]) => {
      expect(apply(file, oldText, newText)).toEqual([result, strategy]);
    });
  });
}

function describeRefusals(
  cases: readonly (readonly [name: string, file: string, oldText: string])[],
) {
  it.each(cases)("refuses %s", (_, file, oldText) => {
    expect(() => apply(file, oldText, "new")).toThrow(
      expect.objectContaining({ code: "conflict" }),
    );
  });
}

describeRung("exact", [
  ["replaces inside a line", "one two three\n", "two", "2", "one 2 three\n"],
  ["replaces over lines", "a\nb\nc\n", "a\nb", "x", "x\nc\n"],
  ["deletes", "a\nb\nc\n", "b\n", "", "a\nc\n"],
  ["takes the new text literally", "a b\n", "b", "$& $1 $$ \\1 \\n", "a $& $1 $$ \\1 \\n\n"],
  ["wins over looser rungs", "a  \na\n", "a  ", "b", "b\na\n"],
  ["finds what is only space", "a\n\n\n\nb\n", "\n\n\n\n", "\n", "a\nb\n"],
]);

describeRung("line-endings", [
  ["sends \\n for \\r\\n", "a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n"],
  ["sends \\r\\n for \\n", "a\nb\nc\n", "a\r\nb", "x\r\ny", "x\ny\nc\n"],
  ["begins and ends inside lines", "xa\r\nby\r\n", "a\nb", "A\nB", "xA\r\nBy\r\n"],
  ["deletes a whole line", "a\r\nb\r\nc\r\n", "a\nb\n", "a\n", "a\r\nc\r\n"],
  ["knows old Macs", "a\rb\rc\r", "a\nb\n", "x\ny\nz\n", "x\ry\rz\rc\r"],
]);

describeRung("trailing-space", [
  ["the file has more", "a  \nb\t\nc\n", "a\nb\nc", "x", "x\n"],
  ["the old text has more", "a\nb\nc\n", "a \nb  \nc", "x", "x\n"],
  ["the old text ends with some", "foo\nfoobar\n", "foo  ", "x", "x\nfoobar\n"],
  ["with other line endings", "a \r\nb\r\nc\r\n", "a\nb", "x\ny", "x \r\ny\r\nc\r\n"],
  ["a blank line of spaces", "a\n    \nb\n", "a\n\nb", "a\n\nc", "a\n    \nc\n"],
  ["begins and ends inside lines", "if (x) { \n  y }\n", "{\n  y", "{\n  z", "if (x) { \n  z }\n"],
]);

describeRung("unicode", [
  ["quotes", "say \u201chi\u201d, it\u2019s\n", 'say "hi", it\'s', "bye", "bye\n"],
  ["quotes the other way", 'say "hi"\n', "say \u201chi\u201d", "bye", "bye\n"],
  ["dashes", "1\u20132 \u2014 3\n", "1-2 - 3", "x", "x\n"],
  ["spaces", "a\u00a0b\u2009c\n", "a b c", "x", "x\n"],
  ["invisible characters", "a\u200bb\ufeffc d\n", "abc d", "x", "x\n"],
  ["normalisation forms", "cafe\u0301 au lait\n", "caf\u00e9 au", "x", "x lait\n"],
  ["normalisation forms the other way", "caf\u00e9 au lait\n", "cafe\u0301 au", "x", "x lait\n"],
  ["Korean in parts", "\u1112\u1161\u11ab x\n", "\ud55c x", "y", "y\n"],
  ["compatible forms", "\ufb01nd \uff21 wait\u2026\n", "find A wait...", "x", "x\n"],
  ["together with line endings", "\u2018a\u2019\r\nb\r\n", "'a'\nb", "x\ny", "x\r\ny\r\n"],
  ["together with trailing space", "\u2018a\u2019  \nb\n", "'a'\nb", "x", "x\n"],
  [
    "leaves its neighbours alone",
    "\u201ca\u201d \u2018b\u2019 \u201cc\u201d\n",
    "'b'",
    "x",
    "\u201ca\u201d x \u201cc\u201d\n",
  ],
]);

describeRung("indentation", [
  [
    "all lines deeper",
    "  if (a) {\n    b();\n  }\n",
    "if (a) {\n  b();\n}",
    "if (c) {\n  d();\n}\ne();",
    "  if (c) {\n    d();\n  }\n  e();\n",
  ],
  [
    "all lines less deep",
    "if (a) {\n  b();\n}\n",
    "    if (a) {\n      b();\n    }",
    "    c();\n      d();",
    "c();\n  d();\n",
  ],
  ["one line", "  foo();\n", "    foo();", "    bar();\n      baz();", "  bar();\n    baz();\n"],
  [
    "tabs for spaces",
    "\tif (a) {\n\t\tb();\n\t}\n",
    "    if (a) {\n        b();\n    }",
    "    if (c) {\n        d();\n            e();\n    }",
    "\tif (c) {\n\t\td();\n\t\t\te();\n\t}\n",
  ],
  [
    "spaces for tabs",
    "  if (a) {\n    b();\n  }\n",
    "\tif (a) {\n\t\tb();\n\t}",
    "\tif (c) {\n\t\td();\n\t}",
    "  if (c) {\n    d();\n  }\n",
  ],
  [
    "tabs for spaces, and deeper",
    "\t\tif (a) {\n\t\t\tb();\n\t\t}\n",
    "  if (a) {\n    b();\n  }",
    "  x();\n    y();",
    "\t\tx();\n\t\t\ty();\n",
  ],
  [
    "tabs for spaces in one line",
    "\tfoo();\n",
    "    foo();",
    "    if (x)\n        foo();",
    "\tif (x)\n\t\tfoo();\n",
  ],
  ["blank lines do not count", "  a\n\n  b\n", "a\n   \nb", "c\n\nd", "  c\n\n  d\n"],
  ["with a line break at the end", "  a\n  b\n  c\n", "a\nb\n", "x\n", "  x\n  c\n"],
  ["with other endings", "  a\r\n    b\r\n", "a\n  b", "x\n  y", "  x\r\n    y\r\n"],
  [
    "less than there is to take off",
    "a();\nb();\n",
    "    a();\n    b();",
    "    c();\nd();",
    "c();\nd();\n",
  ],
]);

describeRefusals([
  [
    "escapes that could be meant in two ways, at two places",
    'f("a")\nf(\\\\"a\\\\")\n',
    'f(\\"a\\")',
  ],
]);

describeRung("escaping", [
  ["line breaks too often", "a\nb\nc\n", "a\\nb", "x\\ny", "x\ny\nc\n"],
  ["quotes too often", 'f("a")\n', 'f(\\"a\\")', 'f(\\"b\\")', 'f("b")\n'],
  [
    "everything too often",
    'f("a\\n")\n\tg()\n',
    'f(\\"a\\\\n\\")\\n\\tg()',
    "h(\\'\\\\t\\')",
    "h('\\t')\n",
  ],
  ["quotes but not the rest", 'f("a\\n")\n', 'f(\\"a\\n\\")', 'f(\\"b\\n\\")', 'f("b\\n")\n'],
  ["backslashes too often", "/\\d+\\s/\n", "/\\\\d+\\\\s/", "/\\\\w/", "/\\w/\n"],
  ["code points too often", "<b>\n", "\\u003cb\\u003e", "\\u003ci\\u003e", "<i>\n"],
  [
    "entities too often",
    'if (a < b && c) "x"\n',
    "if (a &lt; b &amp;&amp; c)",
    "if (a &gt; b)",
    'if (a > b) "x"\n',
  ],
  ["line breaks too little", 'f("a\\n")\n', 'f("a\n")', 'f("it\'s\n")', 'f("it\'s\\n")\n'],
  ["tabs too little", 'f("\\ta")\n', 'f("\ta")', 'f("\tb")', 'f("\\tb")\n'],
  [
    "quotes too little",
    's = "say \\"hi\\" now"\n',
    'say "hi" now',
    'say "bye" now',
    's = "say \\"bye\\" now"\n',
  ],
  [
    "backslashes too little",
    '"C:\\\\dir\\\\a"\n',
    "C:\\dir\\a",
    "C:\\dir\\b",
    '"C:\\\\dir\\\\b"\n',
  ],
  [
    "everything too little",
    '{"a": "say \\"hi\\"\\nbye"}\n',
    'say "hi"\nbye',
    'say "x"\ny',
    '{"a": "say \\"x\\"\\ny"}\n',
  ],
]);

describeRung("blank-edges", [
  ["before", "a\nb\nc\n", "\n\nb", "\n\nx", "a\nx\nc\n"],
  ["after", "a\nb\nc\n", "b\n\n", "x\n\n", "a\nx\nc\n"],
  ["around", "a\nb\nc\n", "\n  \nb\n\n", "x\ny", "a\nx\ny\nc\n"],
  ["a line break after the last line", "a\nb", "b\n", "x\n", "a\nx"],
  [
    "takes off no more than the old text had",
    "a\nb\nc\n",
    "\nb\n\n",
    "\n\nx\n\n\n",
    "a\n\nx\n\nc\n",
  ],
  ["deletes what is between them", "a\nb", "b\n", "", "a\n"],
]);

describeRung("formatting", [
  [
    "a blank line too few",
    "a();\n\nb();\nc();\n",
    "a();\nb();",
    "a();\nd();",
    "a();\n\nd();\nc();\n",
  ],
  ["a blank line too many", "a();\nb();\n", "a();\n\nb();", "a();\n\nd();", "a();\nd();\n"],
  [
    "other quotes in a line that stays",
    "f('a');\ng();\n",
    'f("a");\ng();',
    'f("a");\nh();',
    "f('a');\nh();\n",
  ],
  ["a semicolon too few", "a();\nb();\n", "a()\nb();", "a()\nc();", "a();\nc();\n"],
  [
    "lines that the file has in one",
    "f({ a, b });\ng();\n",
    "f({\n  a,\n  b,\n});\ng();",
    "f({\n  a,\n  b,\n});\nh();",
    "f({ a, b });\nh();\n",
  ],
  [
    "one line that the file has in two",
    "f(\n  a)\ng()\n",
    "f(a)\ng()",
    "f(a)\nh()",
    "f(\n  a)\nh()\n",
  ],
  [
    "a line that is indented otherwise",
    "  if a:\n    b()\n  c()\n",
    "  if a:\n  b()\n  c()",
    "  if a:\n  b()\n  d()",
    "  if a:\n    b()\n  d()\n",
  ],
  [
    "several changes, and the file's own lines between them",
    "a = 1\nf('b')\n\nc = 1\n",
    'a = 1\nf("b")\nc = 1',
    'a = 2\nf("b")\nc = 2',
    "a = 2\nf('b')\n\nc = 2\n",
  ],
  [
    "lines that come between lines that are there",
    "f('a')\nb()\nc()\n",
    'f("a")\nb()\nc()',
    'f("a")\nb()\nx()\ny()\nc()',
    "f('a')\nb()\nx()\ny()\nc()\n",
  ],
  [
    "a line that goes",
    "f('a')\nb()\nc()\nd()\n",
    'f("a")\nb()\nc()\nd()',
    'f("a")\nb()\nd()',
    "f('a')\nb()\nd()\n",
  ],
  [
    "with other endings",
    "a()\r\n\r\nb()\r\nc()\r\n",
    "a()\nb()\nc()",
    "a()\nx()\nc()",
    "a()\r\n\r\nx()\r\nc()\r\n",
  ],
]);

describe("the rung formatting", () => {
  it.each([
    [
      "a changed line that is not there exactly",
      "f('a')\ng('b')\n",
      'f("a")\ng("b")',
      'f("a")\ng("c")',
    ],
    ["two places", "f('a')\ng()\nf(`a`)\ng()\n", 'f("a")\ng()', 'f("a")\nh()'],
    [
      "a second place where the changed line is formatted otherwise",
      "f('a')\ng(1)\nf('a')\ng( 1 )\n",
      'f("a")\ng(1)',
      'f("a")\ng(2)',
    ],
    ["a line that comes beside a blank one", "a()\n\nb()\n", "a()\nb()", "a()\nx()\nb()"],
    ["a line that goes beside a blank one", "a()\n\nb()\nc()\n", "a()\nb()\nc()", "a()\nc()"],
    [
      "a line that comes beside one that is formatted otherwise",
      "f('a')\nb()\n",
      'f("a")\nb()',
      'f("a")\nx()\nb()',
    ],
    ["blank lines, if there are others", "a()\nb()\nc()\n", "a()\n\nb()\nc()", "a()\n\nb()\n\nc()"],
    [
      "quotes, if there are others",
      "f('a')\nb()\nc()\n",
      'f("a")\nb()\nc()',
      'f("a")\nb("x")\nc()',
    ],
    [
      "another indentation, if a line has another",
      "a:\n    b\nc\nd\n",
      "a:\n  b\nc\nd",
      "a:\n  b\nc\n  e\nd",
    ],
    ["a part of a word", "f('a')\nlist.adder\n", 'f("a")\nlist.add', 'f("a")\nlist.put'],
    ["another word", "f('a')\ng()\n", 'f("b")\ng()', 'f("b")\nh()'],
    ["a line that stays and is missing", "a()\nx()\nb()\n", "a()\nb()", "a()\nc()"],
  ])("refuses %s", (...[, file, oldText, newText]) => {
    expect(() => apply(file, oldText, newText)).toThrow(/was not found/u);
  });
});

describe("the ladder", () => {
  describeRefusals([
    ["what is not there", "a\nb\n", "c"],
    ["two exact places", "a b a\n", "a"],
    ["places that overlap", "ababa\n", "aba"],
    ["two places on a rung", "a \nb\na  \nb\n", "a\nb"],
    ["one line of another text", "foo bar\n", "foo baz"],
    ["space inside a line that goes on", "foo  bar baz\n", "foo bar"],
    ["another case", "Foo\n", "foo"],
    ["trailing space inside a line", "foobar\n", "foo "],
    ["a blank edge inside a line", "foobar\n", "foo\n"],
    ["only space for other space", "a\tb\n", "  "],
    ["only space at the end", "abc", "   "],
    ["an uneven shift", "  a\n   b\n", "a\n  b"],
    ["a missing line", "a\nb\nc\n", "a\nc"],
    ["an additional line", "a\nc\n", "a\nb\nc"],
    ["half of a folded character", "wait\u2026 b\n", "wait.. b"],
    ["another letter that looks alike", "\u0430bc\n", "abc"],
    ["two rungs that do not go together", "  say \u201chi\u201d\n    b\n", 'say "hi"\n  b'],
  ]);

  it("does not continue to a looser rung where a stricter one is ambiguous", () => {
    // By indentation there would be a third place.
    const file = "  a \n  b\n\n  a\t\n  b\n\n    a\n    b\n";
    expect(() => apply(file, "  a\n  b", "x")).toThrow(
      /^old_string occurs 2 times in \/w\/a .*: lines 1, 4\./u,
    );
  });

  it("finds only places that are the same but for what the rung ignores", () => {
    fc.assert(
      fc.property(texts, texts, (file, oldText) => {
        const found =
          oldText === "" ? undefined : climbLadder(new FileText(file), { oldText, newText: "" });
        for (const { start, end } of found?.places ?? []) {
          const place = file.slice(start, end);
          const strategy = found?.strategy ?? "exact";
          expect({ strategy, isSame: isSame[strategy](place, oldText) }).toEqual({
            strategy,
            isSame: true,
          });
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

const units = [
  "a",
  "b",
  " ",
  "\t",
  "\n",
  "\n",
  "\r\n",
  "\\n",
  '"',
  "\u201c",
  "e\u0301",
  "\u00e9",
  "\u2026",
];
const texts = fc.string({ unit: fc.constantFrom(...units), maxLength: 10 });

const plain = (text: string): string => text.replaceAll("\r\n", "\n");
const lines = (text: string, fold: (line: string) => string): string =>
  JSON.stringify(plain(text).split("\n").map(fold));
const trimEnd = (line: string): string => line.trimEnd();

const isSame: Readonly<Record<EditStrategy, (place: string, oldText: string) => boolean>> = {
  exact: (place, oldText) => place === oldText,
  "line-endings": (place, oldText) => plain(place) === plain(oldText),
  "trailing-space": (place, oldText) => lines(place, trimEnd) === lines(oldText, trimEnd),
  unicode: (place, oldText) =>
    lines(foldUnicode(place).text, trimEnd) === lines(foldUnicode(oldText).text, trimEnd),
  indentation: (place, oldText) =>
    lines(place, (line) => line.trim()) === lines(oldText, (line) => line.trim()),
  escaping: (place, oldText) =>
    escapeRepairs.some((repair) => plain(repair.apply(oldText)) === plain(place)),
  "blank-edges": (place, oldText) => {
    const wanted = plain(oldText).split("\n");
    const core = trimBlankEdges(wanted, findBlankEdges(wanted) ?? { before: 0, after: 0 });
    return lines(core.join("\n"), trimEnd) === lines(place, trimEnd);
  },
  spacing: (place, oldText) => {
    const squeeze = (line: string): string => line.replaceAll(/\s+/gu, "");
    return lines(place, squeeze) === lines(oldText, squeeze);
  },
  "line-numbers": (place, oldText) =>
    lines(plain(oldText).replaceAll(/^ *\d+(?:: ?|\t| ?\| ?|\u2192)/gmu, ""), trimEnd) ===
    lines(place, trimEnd),
  "code-fence": (place, oldText) =>
    lines(oldText.trim().split("\n").slice(1, -1).join("\n"), trimEnd) === lines(place, trimEnd),
  formatting: (place, oldText) => plain(oldText).includes(plain(place)),
};
