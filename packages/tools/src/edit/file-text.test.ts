import { describe, expect, it } from "vitest";
import { spliceText } from "../text/text-document.ts";
import { FileText } from "./file-text.ts";
import { planEdit } from "./plan-edit.ts";

function apply(file: string, oldText: string, newText: string): string {
  const edit = { old_string: oldText, new_string: newText, replace_all: true };
  return spliceText(file, planEdit(new FileText(file), edit, "/w/a").splices);
}

describe("the line endings of new text", () => {
  it.each([
    ["a file with \\r\\n: added lines", "a\r\nb\r\n", "a", "x\ny\nz", "x\r\ny\r\nz\r\nb\r\n"],
    ["a file with \\n: \\r\\n in the new text", "a\nb\n", "a", "x\r\ny", "x\ny\nb\n"],
    ["a file with one line: its own", "a", "a", "x\r\ny\nz", "x\r\ny\nz"],
    [
      "mixed: replaced lines keep theirs",
      "a\r\nb\nc\r\nd\n",
      "a\nb\nc\n",
      "x\ny\nz\n",
      "x\r\ny\nz\r\nd\n",
    ],
    [
      "mixed: lines that stay keep theirs",
      "a\r\nb\nc\r\nd\n",
      "a\nb\nc\n",
      "a\nc\n",
      "a\r\nc\r\nd\n",
    ],
    [
      "mixed: an added line takes that of the line before",
      "a\r\nb\nc\n",
      "a\n",
      "a\nx\n",
      "a\r\nx\r\nb\nc\n",
    ],
    ["mixed: an added line in the middle", "a\nb\r\nc\n", "b\nc", "b\nx\nc", "a\nb\r\nx\r\nc\n"],
    [
      "mixed: a line added at the top takes that after",
      "a\r\nb\n",
      "a\n",
      "x\na\n",
      "x\r\na\r\nb\n",
    ],
    ["mixed: a line added before another", "a\nb\r\n", "b", "x\nb", "a\nx\nb\r\n"],
    ["mixed: one line becomes two", "a\nfoo\r\nb\n", "foo", "x\ny", "a\nx\r\ny\r\nb\n"],
    ["the end without an ending: that of the line before", "a\r\nb", "b", "x\ny", "a\r\nx\r\ny"],
    ["half an ending is not left behind", "a\r\nb\r\n", "\nb", "", "a\r\n"],
    ["half an ending is kept with the other", "a\r\nb\r\n", "\nb", "\nx", "a\r\nx\r\n"],
    ["half an ending that is gone already", "\r\n\r\n\r\n", "\n\r", "", "\n"],
    ["lines ended by \\r", "a\rb\r", "a", "x\ny", "x\ry\rb\r"],
    ["a \\r inside a line is a character", "a\rb\nc\n", "b", "x\ry\nz", "a\rx\ry\nz\nc\n"],
    ["endings that are all that changes", "a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n", "a\nb\n"],
    ["every place its own", "x\r\ny\nx\n", "x", "1\n2", "1\r\n2\r\ny\n1\n2\n"],
  ])("%s", (...[, file, oldText, newText, result]) => {
    expect(apply(file, oldText as string, newText as string)).toBe(result);
  });
});
