import { describe, expect, it } from "vitest";
import { toResultText } from "./result-text.ts";

describe("toResultText", () => {
  it.each([
    ["a text", "text", "text"],
    ["lines", ["a", "b"], "a\nb"],
    ["its content", { path: "/w/a", content: "1: a" }, "1: a"],
    ["a message", { path: "/w/a", message: "Created /w/a." }, "Created /w/a."],
    ["a diff", { path: "/w/a", diff: "--- a\n" }, "--- a\n"],
    ["a message with its diff", { message: "Done.", diff: "--- a\n" }, "Done.\n--- a\n"],
    [
      "the diffs of what was undone",
      { undone: [{ diff: "1\n" }, {}, { diff: "2\n" }], message: "Undone." },
      "Undone.\n1\n2\n",
    ],
    [
      "the diffs of a patch",
      {
        files: [
          { path: "/w/a", diff: "1\n" },
          { path: "/w/b", diff: "2\n" },
        ],
        message: "Done.",
      },
      "Done.\n1\n2\n",
    ],
    [
      "an image by its kind and size",
      { path: "/w/a.png", type: "image", media_type: "image/png", data: "AAAAAA==" },
      "/w/a.png: image/png, 4 bytes",
    ],
    ["anything else as JSON", { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
    ["nothing", null, "null"],
  ])("shows %s", (_, data, text) => {
    expect(toResultText(data)).toEqual({ text });
  });

  it("shows matches with the lines around them", () => {
    const matches = [
      { path: "/w/a", line: 3, text: "x", before: ["1", "2"], after: ["4"] },
      { path: "/w/b", line: 1, text: "xxx", clipped: true },
    ];
    expect(toResultText({ matches, truncated: true, message: "There is more." })).toEqual({
      text: "/w/a-1- 1\n/w/a-2- 2\n/w/a:3: x\n/w/a-4- 4\n/w/b:1: xxx…",
      remark: "There is more.",
    });
  });

  it("shows files one a line, and tells of those left and of none", () => {
    expect(toResultText({ files: ["/w/a", "/w/b"], remaining: 0 })).toEqual({ text: "/w/a\n/w/b" });
    expect(toResultText({ files: ["/w/a"], remaining: 7 })).toEqual({
      text: "/w/a",
      remark: "7 more",
    });
    expect(toResultText({ files: [], remaining: 0 })).toEqual({ text: "", remark: "no files fit" });
  });
});
